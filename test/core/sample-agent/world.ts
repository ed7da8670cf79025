import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { composeCore, type ComposeOptions, type Core } from '#core/compose.ts';
import { systemClock, type Clock } from '#core/platform/clock.ts';
import type { AppEvent, ProposalView, SampleAgentView } from '#shared/app-api/index.ts';
import { armingDelayMs, type Showing } from '#shared/host-api/index.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

/** A person's word on one proposal: approved, denied with a reason, or left alone. */
export type Word = 'approve' | { deny: string } | 'leave';

/** A core on the Demo service, with a person who answers whatever comes. */
export interface AgentWorld {
  core: Core;
  /** Everything that was asked, in order. */
  asked: ProposalView[];
  /** Resolves when the sample agent fits. */
  until(fits: (view: SampleAgentView) => boolean): Promise<SampleAgentView>;
}

/** Waits are so many times shorter than they say. */
const hurry = 10;

const hurriedClock: Clock = {
  nowMs: systemClock.nowMs,
  monotonicMs: () => systemClock.monotonicMs() * hurry,
  after: (delayMs, call) => systemClock.after(delayMs / hurry, call),
};

/** Everything ends with the test. */
export async function openAgentWorld(
  answer: (proposal: ProposalView) => Word,
  host: ComposeOptions['host'] = 'terminal',
): Promise<AgentWorld> {
  let shown: Showing | null = null;
  const core = await composeCore({
    dataFolder: tempFolder(),
    host,
    version: '0.0.0',
    dataKey: randomBytes(32),
    demoCampaigns: 60,
    clock: hurriedClock,
    confirmer: {
      via: 'terminal',
      async show(showing) {
        shown = showing;
        return { address: null };
      },
      hide() {},
    },
  });
  onTestFinished(() => core.dispose());
  const { handlers, confirmation } = core;
  await handlers['agents.openEndpoint']({ onAnotherPort: false });
  const asked: ProposalView[] = [];
  const known = new Set<string>();

  async function decide(id: string): Promise<void> {
    const word = answer(await handlers['proposals.get']({ id }));
    await handlers['proposals.review']({ id });
    if (shown === null) throw new Error('Nothing was shown');
    const { showingId, nonce, fingerprint, proposal } = shown;
    asked.push(proposal);
    if (word === 'leave') return;
    confirmation.seen({ showingId, nonce });
    await new Promise<void>((resolve) => void hurriedClock.after(armingDelayMs * 1.2, resolve));
    const [decision, reason] =
      word === 'approve' ? (['approve', null] as const) : (['deny', word.deny] as const);
    const typed = proposal.typeToConfirm?.value ?? null;
    await confirmation.decide({ showingId, nonce, fingerprint, decision, reason, typed });
  }

  const stop = core.subscribe((event: AppEvent) => {
    if (event.kind !== 'proposals.changed' || known.has(event.id)) return;
    known.add(event.id);
    void decide(event.id);
  });
  onTestFinished(stop);
  return { core, asked, until: (fits) => untilAgent(core, fits) };
}

async function untilAgent(core: Core, fits: (view: SampleAgentView) => boolean): Promise<SampleAgentView> {
  const { promise, resolve } = Promise.withResolvers<SampleAgentView>();
  const look = async (): Promise<void> => {
    const view = await core.handlers['sampleAgent.get']({});
    if (fits(view)) resolve(view);
  };
  const stop = core.subscribe((event) => {
    if (event.kind === 'agents.changed') void look();
  });
  await look();
  try {
    return await promise;
  } finally {
    stop();
  }
}

export const isOver = ({ state }: SampleAgentView): boolean => state === 'ended' || state === 'failed';
