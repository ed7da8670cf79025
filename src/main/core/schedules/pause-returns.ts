import { entryBy, type Ledger } from '#core/ledger/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { latestId, type Returns, statusEffects } from '#core/proposals/index.ts';
import type { AppStore, ListedProposal, StoredPauseReturn } from '#core/store/app/index.ts';
import type { AppEvent, AppInput, PauseReturnView, ProposalView } from '#shared/app-api/index.ts';
import { returnMoment } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { ownWords, sentence, type Sentence } from '#shared/lib/sentence.ts';
import { isUndecided } from '#shared/proposals/states.ts';

export interface PauseReturns extends AsyncDisposable {
  list(profileId: string): PauseReturnView[];
  move(input: AppInput<'schedules.moveReturn'>): void;
  cancel(input: AppInput<'schedules.cancelReturn'>): void;
  /** Prepares a planned return now. Fails as `Returns.proposeDue` does. */
  prepareNow(input: AppInput<'schedules.returnNow'>): Promise<ProposalView>;
  /** Looks for due returns at once: the machine may have slept. */
  resume(): void;
}

export interface PauseReturnsOptions {
  store: AppStore;
  ledger: Pick<Ledger, 'append'>;
  returns: Pick<Returns, 'proposeDue' | 'campaignsOf'>;
  zoneOf(profileId: string): string;
  clock: Pick<Clock, 'nowMs' | 'after'>;
  logger: Logger;
  emit(event: AppEvent): void;
  subscribe(listener: (event: AppEvent) => void): () => void;
}

/**
 * A timer ignores sleep and changes of the clock, so it never waits longer than this. A return that could not be prepared is
 * tried again after this time.
 */
const maxWaitMs = 30_000;
/** Delays the first look, so that the first rows of the list are read before anything due is. */
const firstMs = 5_000;
const keptMs = 30 * 86_400_000;
const maxNamed = 100;

type Parts = readonly [StoredPauseReturn, ...StoredPauseReturn[]];

/** Waits for the next planned return of a timed pause, and prepares it when it is due. */
export function createPauseReturns(options: PauseReturnsOptions): PauseReturns {
  const { store, ledger, returns, zoneOf, clock, logger, emit, subscribe } = options;
  const { pauseReturns } = store;
  const failures = new Map<string, AppError>();
  let cancelTimer = (): void => {};
  let running: Promise<void> | null = null;
  let isOver = false;

  const momentOf = ({ profileId, atMs }: Pick<StoredPauseReturn, 'profileId' | 'atMs'>): string =>
    returnMoment(atMs, zoneOf(profileId));

  function wakeIn(delayMs: number): void {
    cancelTimer();
    if (!isOver) cancelTimer = clock.after(delayMs, look);
  }

  function schedule(): void {
    const nextMs = pauseReturns.nextAtMs();
    if (nextMs === null) return cancelTimer();
    const leftMs = nextMs - clock.nowMs();
    wakeIn(leftMs > 0 ? Math.min(leftMs, maxWaitMs) : maxWaitMs);
  }

  function look(): void {
    running ??= prepareDue().finally(() => {
      running = null;
      schedule();
    });
  }

  async function prepareDue(): Promise<void> {
    pauseReturns.removePast(clock.nowMs() - keptMs);
    for (const parts of inReturns(pauseReturns.due(clock.nowMs()))) {
      if (isOver) return;
      try {
        await prepare(parts);
      } catch (failure) {
        logger.warn({ failure, return: parts[0].id }, 'A due return could not be prepared');
      }
    }
  }

  async function prepare(parts: Parts): Promise<ProposalView> {
    const [first, ...more] = parts;
    const { id } = first;
    const pauseIds = [first, ...more].map(({ pauseId }) => pauseId);
    try {
      const proposal = await returns.proposeDue(pauseIds, `Pause until ${momentOf(first)}`);
      pauseReturns.proposed({ id, proposalId: proposal.id });
      failures.delete(id);
      return proposal;
    } catch (error) {
      const failure = error instanceof AppError ? error : new AppError('internal', { cause: error });
      if (isFinal(failure, parts)) end(first, failure.message);
      else failures.set(id, failure);
      throw failure;
    } finally {
      emit({ kind: 'schedules.changed' });
    }
  }

  /** False for a campaign with another change in progress, because it may return later. */
  function isFinal({ code }: AppError, parts: Parts): boolean {
    if (code === 'profile_unknown' || code === 'proposal_not_found') return true;
    return (
      code === 'nothing_to_reverse' &&
      parts.every(({ profileId, pauseId }) => returns.campaignsOf(profileId, pauseId).length === 0)
    );
  }

  function end(one: StoredPauseReturn, because: Sentence): void {
    store.transaction(() => {
      pauseReturns.end({ id: one.id, because });
      const summary = sentence`The return of ${ownWords(momentOf(one))} ended. ${ownWords(because)}`;
      ledger.append(entryBy('Countersign', { kind: 'return.ended', summary, body: bodyOf(one) }));
    });
  }

  function plannedReturn(id: string): Parts {
    const [parts] = inReturns(pauseReturns.find(id));
    if (parts === undefined || !isPlanned(parts[0])) throw new AppError('return_not_planned');
    return parts;
  }

  function change(kind: string, one: StoredPauseReturn, summary: Sentence, write: () => void): void {
    store.transaction(() => {
      write();
      ledger.append(entryBy('You', { kind, summary, body: bodyOf(one) }));
      store.afterCommit(() => emit({ kind: 'schedules.changed' }));
    });
    failures.delete(one.id);
    schedule();
  }

  function stateOf(
    { atMs, proposalId, ended }: StoredPauseReturn,
    latest: ListedProposal | null,
  ): PauseReturnView['state'] {
    if (ended !== null) return 'ended';
    if (proposalId !== null) return latest !== null && isUndecided(latest.state) ? 'waiting' : 'decided';
    return atMs <= clock.nowMs() ? 'due' : 'planned';
  }

  function viewOf(parts: Parts): PauseReturnView {
    const [first] = parts;
    const { id, profileId, atMs, proposalId, ended } = first;
    const latest = proposalId === null ? null : store.proposals.findListed(latestId(store, proposalId));
    const left = new Set(parts.flatMap(({ pauseId }) => returns.campaignsOf(profileId, pauseId)));
    const paused = parts.flatMap(({ pauseId }) => pausedBy(store, pauseId));
    const known = new Map(paused.map(({ cid, name }) => [cid, name]));
    const named = isPlanned(first) ? [...left] : [...known.keys()];
    const failure = failures.get(id);
    return {
      id,
      atMs,
      state: stateOf(first, latest),
      pauseId: first.pauseId,
      pausedCount: Math.max(known.size, left.size),
      changedCount: isPlanned(first) ? Math.max(0, known.size - left.size) : 0,
      campaigns: named
        .slice(0, maxNamed)
        .map((cid) => ({ cid, name: inertText(known.get(cid) ?? `Campaign ${cid}`) })),
      ended: ended === null ? null : inertText(ended),
      failure: failure === undefined ? null : { message: failure.message, next: failure.next },
      proposal: latest === null ? null : { id: latest.id, title: latest.headline.title, state: latest.state },
    };
  }

  const unsubscribe = subscribe(({ kind }) => {
    if (kind === 'proposals.changed') schedule();
    if (kind === 'profiles.changed') wakeIn(0);
  });
  wakeIn(firstMs);
  return {
    list: (profileId) => inReturns(pauseReturns.ofProfile(profileId)).map(viewOf),
    move({ id, atMs }) {
      const [one] = plannedReturn(id);
      if (atMs <= clock.nowMs()) throw new AppError('return_time_passed');
      const to = momentOf({ ...one, atMs });
      const summary = sentence`The return of ${ownWords(momentOf(one))} was moved to ${ownWords(to)}`;
      change('return.moved', { ...one, atMs }, summary, () => pauseReturns.move({ id, atMs }));
    },
    cancel({ id }) {
      const [one] = plannedReturn(id);
      const summary = sentence`The return of ${ownWords(momentOf(one))} was cancelled`;
      change('return.cancelled', one, summary, () => pauseReturns.remove(id));
    },
    prepareNow: async ({ id }) => prepare(plannedReturn(id)),
    resume: () => wakeIn(0),
    async dispose() {
      isOver = true;
      unsubscribe();
      cancelTimer();
      await running;
    },
  };
}

function isPlanned({ proposalId, ended }: StoredPauseReturn): boolean {
  return proposalId === null && ended === null;
}

function bodyOf({ id, profileId, atMs, pauseId }: StoredPauseReturn) {
  return { return: id, profile: profileId, pause: pauseId, atMs };
}

function inReturns(rows: readonly StoredPauseReturn[]): Parts[] {
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [[first, ...more] as const],
  );
}

function pausedBy(store: AppStore, pauseId: string): { cid: number; name: string }[] {
  const pause = store.proposals.find(pauseId);
  if (pause?.operation !== 'campaign.status' || pause.prunedAtMs !== null) return [];
  return statusEffects(pause);
}
