import { setImmediate, setTimeout } from 'node:timers/promises';
import type { AttemptView, DebriefItem, ProposalView, WorkspaceView } from '#shared/app-api/index.ts';
import { armingDelayMs } from '#shared/host-api/index.ts';
import type { MissionId, MissionPlan, MissionStep } from '#shared/training/index.ts';
import type { planMission } from '#shared/training/plan/index.ts';
import { createManualClock, type ManualClock } from '#test/servers/manual-clock.ts';
import { openTraining, type TrainingWorld } from './training-world.ts';

/** A trainee's answer to an undecided proposal. */
export type Answer = 'approve' | 'deny' | 'leave';

export type MissionNow = Extract<WorkspaceView, { kind: 'mission' }>;

/** A person who plays a mission on a manual clock, through the confirmations that the host is asked to show. */
export interface Player {
  /** Resolves when the condition is true. Meanwhile the clock runs and proposals are answered. */
  until(isSo: (mission: MissionNow) => boolean | Promise<boolean>): Promise<MissionNow>;
  /** Plays the mission to its end, and finishes it if nothing happens any more. */
  play(): Promise<{ attempt: AttemptView; items: DebriefItem[] }>;
  /** Answers this proposal now, even if others have waited longer. */
  decide(id: string): Promise<void>;
  /** Every answered proposal, in order. */
  answered: ProposalView[];
}

const stepMs = 1_000;

/** A mission without progress for this long has stopped. */
const patienceMs = 15 * 60_000;

export function createPlayer(
  { core, shown }: TrainingWorld,
  clock: ManualClock,
  answer: (proposal: ProposalView) => Answer,
): Player {
  const { handlers, confirmation } = core;
  const answered: ProposalView[] = [];
  const left = new Set<string>();

  async function mission(): Promise<MissionNow> {
    const { workspace } = await handlers['training.workspace']({});
    if (workspace?.kind !== 'mission') throw new Error('No mission is open');
    return workspace;
  }

  async function decide(id: string): Promise<void> {
    await handlers['proposals.review']({ id });
    const display = shown.at(-1);
    if (display === undefined || left.has(display.proposal.id)) return;
    const { displayId, nonce, fingerprint, proposal } = display;
    const given = answer(proposal);
    if (given === 'leave') {
      left.add(proposal.id);
      return;
    }
    confirmation.seen({ displayId, nonce });
    clock.advance(armingDelayMs);
    answered.push(proposal);
    const typed = given === 'approve' ? (proposal.typeToConfirm?.value ?? null) : null;
    await confirmation.decide({
      displayId,
      nonce,
      fingerprint,
      decision: given,
      reason: null,
      typed,
    });
  }

  async function look(): Promise<void> {
    const { phase } = await mission();
    if (phase !== 'running') return;
    const { items } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 100 });
    const oldest = items.findLast(({ id }) => !left.has(id));
    if (oldest !== undefined) await decide(oldest.id);
    else clock.advance(stepMs);
  }

  async function until(isSo: (now: MissionNow) => boolean | Promise<boolean>): Promise<MissionNow> {
    for (;;) {
      const now = await mission();
      if (await isSo(now)) return now;
      await look().catch(async (failure: unknown) => {
        if ((await mission()).phase !== 'over') throw failure;
      });
      // Requests between the agent, the gateway and the service are real, so they need turns of the event loop.
      for (let turns = 0; turns < 5; turns += 1) await setImmediate();
    }
  }

  return {
    until,
    answered,
    decide,
    async play() {
      let heard = { atMs: clock.nowMs(), of: '' };
      const isQuiet = (now: MissionNow): boolean => {
        const of = `${now.decided} ${answered.length}`;
        if (of !== heard.of) heard = { atMs: clock.nowMs(), of };
        return clock.nowMs() - heard.atMs > patienceMs;
      };
      const now = await until((one) => one.phase === 'over' || isQuiet(one));
      if (now.phase !== 'over') await handlers['training.finish']({});
      const { attempt: id } = await mission();
      return handlers['training.attempt']({ id: id ?? '' });
    },
  };
}

/**
 * Finds the step of a proposal: the first step with its campaigns and words that has no proposal yet, or else the step that
 * had it last.
 */
function stepsOf(steps: readonly MissionStep[]): (proposal: ProposalView) => MissionStep {
  const taken = new Map<string, MissionStep>();
  return (proposal) => {
    const cids = proposal.targets.map(({ cid }) => cid);
    const fits = steps.filter(({ write, says }) => {
      const named = write.kind === 'update' ? [write.cid] : write.cids;
      return says === proposal.quotation && named.some((cid) => cids.includes(cid));
    });
    const used = new Set(taken.values());
    const step = taken.get(proposal.id) ?? fits.find((one) => !used.has(one)) ?? fits.at(-1);
    if (step === undefined) throw new Error(`No step of the plan is ${proposal.title}`);
    taken.set(proposal.id, step);
    return step;
  };
}

/** A mission in a world of its own, prepared but not begun. */
export interface PlayedMission {
  world: TrainingWorld;
  clock: ManualClock;
  player: Player;
  plan(): MissionPlan;
  /** Ends the core, starts another on the same folder, and resumes the mission. */
  restart(): Promise<PlayedMission>;
}

export interface PlayOptions {
  mission?: MissionId;
  planMission: typeof planMission;
  answer: (step: MissionStep, proposal: ProposalView) => Answer;
  demoCampaigns?: number;
  folder?: string;
}

/** Prepares a mission. Everything ends with the test. */
export async function startMission(options: PlayOptions): Promise<PlayedMission> {
  const { mission = 'bids', answer, planMission: makePlan, ...rest } = options;
  const clock = createManualClock();
  let plan: MissionPlan | undefined;
  let stepOf: ReturnType<typeof stepsOf> | undefined;
  const first = await openTraining({
    ...rest,
    clock,
    planMission(...args) {
      plan = makePlan(...args);
      stepOf = stepsOf(plan.steps);
      return plan;
    },
  });
  const planned = (): MissionPlan => {
    if (plan === undefined) throw new Error('Nothing was planned');
    return plan;
  };
  const answerTo = (proposal: ProposalView): Answer => {
    if (stepOf === undefined) throw new Error('Nothing was planned');
    return answer(stepOf(proposal), proposal);
  };
  const playedIn = (world: TrainingWorld): PlayedMission => ({
    world,
    clock,
    player: createPlayer(world, clock, answerTo),
    plan: planned,
    async restart() {
      const next = await world.restart();
      await whileTimePasses(clock, next.core.handlers['training.resume']({}));
      return playedIn(next);
    },
  });
  const { handlers } = first.core;
  await handlers['training.setName']({ name: 'Ada' });
  await whileTimePasses(clock, handlers['training.startMission']({ mission }));
  return playedIn(first);
}

/** Awaits the work while the clock advances. */
export async function whileTimePasses<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
  const ended = work.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([ended, setTimeout(2, false)]))) clock.advance(armingDelayMs / 4);
  return work;
}

/** Returns the workspace folders after the time in which the last page of a closed workspace must have gone. */
export function workspacesLater(world: TrainingWorld, clock: ManualClock): string[] {
  clock.advance(3_000);
  return world.workspaces();
}
