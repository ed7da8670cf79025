import { appApi } from '#shared/app-api/index.ts';
import type { RealWork } from '#shared/host-api/index.ts';
import type { CoreSupervisor } from '../core-link/index.ts';
import { watchFrozen, watchWaitingCount, type WaitingCountOptions } from '../shell/index.ts';

export interface RealWorkOptions extends Pick<WaitingCountOptions, 'core' | 'after'> {
  onChange(work: RealWork): void;
}

/** Watch on the real core's work while a person trains. */
export interface RealWorkWatch {
  now(): RealWork;
  stop(): void;
}

/** Follows how much real work waits, and whether the real agents are frozen. */
export function watchRealWork({ core, after, onChange }: RealWorkOptions): RealWorkWatch {
  let work: RealWork = { waiting: null, frozen: null };
  const change = (found: Partial<RealWork>): void => {
    work = { ...work, ...found };
    onChange(work);
  };
  const stops = [
    watchWaitingCount({ core, after, onChange: (waiting) => change({ waiting }) }),
    watchFrozen({ core, after, onChange: (frozen) => change({ frozen }) }),
  ];
  return { now: () => work, stop: () => stops.forEach((stop) => stop()) };
}

export interface ReviewRealOptions {
  core: Pick<CoreSupervisor, 'ask'>;
  /** The real confirmation: the proposal that stands in it, and the way to the front. */
  confirmation: { current(): string | null; bringForward(proposalId: string): void };
}

/**
 * Brings the real confirmation to the front with what stands in it, else with the first change that waits, as Review in the real app
 * does; it decides nothing. Does nothing where nothing waits. Fails as `proposals.review`.
 */
export async function reviewReal({ core, confirmation }: ReviewRealOptions): Promise<void> {
  const id = confirmation.current() ?? (await reviewWaiting(core));
  if (id !== null) confirmation.bringForward(id);
}

async function reviewWaiting(core: Pick<CoreSupervisor, 'ask'>): Promise<string | null> {
  const list = await core.ask('app', 'proposals.list', { which: 'waiting', before: null, limit: 1 });
  const [first] = appApi['proposals.list'].output.parse(list).items;
  if (first === undefined) return null;
  const answer = await core.ask('app', 'proposals.review', { id: first.id });
  return appApi['proposals.review'].output.parse(answer).id ?? first.id;
}
