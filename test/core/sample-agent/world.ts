import type { Core } from '#core/compose/compose.ts';
import type { ComposeOptions } from '#core/compose/options.ts';
import { systemClock, type Clock } from '#core/platform/clock.ts';
import type { ProposalView, SampleAgentView } from '#shared/app-api/index.ts';
import { openCoreWithPerson, type CoreWithPerson, type Word } from '#test/servers/core-with-person.ts';

/** A core with a person who answers, and the sample agent in it. */
export interface AgentWorld extends CoreWithPerson {
  /** Resolves when the sample agent's state fits. */
  until(fits: (view: SampleAgentView) => boolean): Promise<SampleAgentView>;
}

/** The factor by which waits are shortened. */
const hurry = 10;

const hurriedClock: Clock = {
  nowMs: systemClock.nowMs,
  monotonicMs: () => systemClock.monotonicMs() * hurry,
  after: (delayMs, call) => systemClock.after(delayMs / hurry, call),
};

/** Opens the world. Everything ends with the test. */
export async function openAgentWorld(
  answer: (proposal: ProposalView) => Word,
  host: ComposeOptions['host'] = 'terminal',
): Promise<AgentWorld> {
  // Requests take real time, and the hurried clock would time them out ten times as early.
  const timeouts = { requestMs: 15_000 * hurry };
  const opened = await openCoreWithPerson({
    answer,
    host,
    clock: hurriedClock,
    demoCampaigns: 60,
    timeouts,
  });
  return { ...opened, until: (fits) => untilAgent(opened.core, fits) };
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
