import type { Clock } from '#core/platform/clock.ts';
import { type AsyncDisposable, DisposableStack } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { MissionRecord, StoredAttempt, StoredMission } from '#core/store/training/index.ts';
import type { ProposalView, WorkspaceView } from '#shared/app-api/index.ts';
import { createListeners, type Listeners } from '#shared/lib/listeners.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import type { MissionPlan } from '#shared/training/index.ts';
import type { WorkspaceCore, WorkspaceService } from '../workspace-core.ts';
import type { Workspace } from '../workspaces.ts';
import { connectMissionAgent, endEarlierAgents } from './agent.ts';
import { debrief } from './debriefing.ts';
import { createProposing } from './proposing.ts';
import { createStepTracker, type StepTracker } from './step-tracker.ts';

/** `dispose` stops the agent. Undecided steps are proposed again when the mission is resumed. */
export interface Mission extends AsyncDisposable {
  view(): Extract<WorkspaceView, { kind: 'mission' }>;
  begin(): void;
  /** Stops the agent, waits for writes in delivery, and judges the attempt. */
  end(attemptId: string): Promise<StoredAttempt>;
}

export interface MissionOptions {
  workspace: Pick<Workspace, 'core' | 'service' | 'relay'>;
  record: MissionRecord;
  plan(service: WorkspaceService): MissionPlan;
  name: string;
  version: string;
  clock: Clock;
  logger: Logger;
  onChange(): void;
  onOver(): void;
}

/** Prepares a new mission, or resumes a mission from its record. Closes everything if it fails. */
export async function openMission(options: MissionOptions): Promise<Mission> {
  const stack = new DisposableStack();
  try {
    return await open(options, stack);
  } catch (failure) {
    await stack.dispose();
    throw failure;
  }
}

async function open(options: MissionOptions, stack: DisposableStack): Promise<Mission> {
  const { workspace, record, version, clock, logger, onChange, onOver } = options;
  const { core, service, relay } = workspace;
  let mission = record.mission() ?? prepare(options);
  record.keepMission(mission);
  const { plan } = mission;
  const stop = new AbortController();
  const changes = createListeners<void>();
  let isOver = false;

  const time = createTimeLimit({ limitMs: plan.limitMs, record, clock, onEnd: over });
  stack.defer(time.stop);
  if (mission.leftMs !== null) time.start(mission.leftMs);
  const tracker = createStepTracker({
    steps: plan.steps,
    record,
    onChange() {
      time.keep(tracker);
      changes.emit();
      onChange();
      overWhenEnded();
    },
  });

  function over(): void {
    if (isOver || stop.signal.aborted) return;
    isOver = true;
    onOver();
  }

  function overWhenEnded(): void {
    if (tracker.all().every(({ end }) => end !== null)) over();
  }

  const following = createFollowing({ core, tracker });
  restoreIncidents(plan, { tracker, service });
  await endEarlierAgents(core);
  await following.resume();
  const { agents } = await core.handlers['session.status']({});
  const isStopped = agents.frozenSinceMs !== null || record.isRevoked();
  const agent = isStopped ? null : stack.use(await connectMissionAgent({ core, relay, version, clock }));
  const proposing = createProposing({
    steps: plan.steps,
    tracker,
    agent,
    service,
    changes,
    clock,
    signal: stop.signal,
  });

  const known = new Set<string>();
  async function see(id: string, atMs: number): Promise<void> {
    const isFirst = !known.has(id);
    known.add(id);
    const proposal = await core.handlers['proposals.get']({ id });
    const isNew = isFirst && isUndecided(proposal.state) && proposal.rebase === null;
    if (isNew && proposal.proposedBy.agentId === agent?.id) proposing.arrived(proposal);
    await following.look(proposal, atMs);
  }

  async function seeRevoked(): Promise<void> {
    if (agent === null || record.isRevoked()) return;
    const all = await core.handlers['agents.get']({});
    const ended = all.agents.find(({ id }) => id === agent.id)?.ended;
    if (ended?.because === 'revoked' && !stop.signal.aborted) record.keepRevoked();
  }

  stack.defer(
    core.subscribe((event) => {
      if (event.kind === 'agents.changed') {
        seeRevoked().catch((failure: unknown) => logger.error({ failure }, 'A mission lost its agent'));
      }
      if (event.kind !== 'proposals.changed') return;
      see(event.id, clock.nowMs()).catch((failure: unknown) => {
        logger.error({ failure }, 'A mission lost sight of a proposal');
      });
    }),
  );

  function run(): void {
    proposing.run().catch((failure: unknown) => {
      if (!stop.signal.aborted) logger.error({ failure }, 'The agent of a mission failed');
    });
  }

  if (mission.beganAtMs !== null) {
    run();
    overWhenEnded();
  }
  return {
    view: () => ({
      kind: 'mission',
      mission: plan.mission,
      name: mission.name,
      briefing: [...plan.briefing],
      phase: mission.beganAtMs === null ? 'briefing' : 'running',
      decided: tracker.all().filter(({ end }) => end !== null).length,
      total: plan.steps.length,
      endsAtMs: time.endsAtMs(),
      attempt: null,
    }),
    begin() {
      if (mission.beganAtMs !== null) return;
      mission = { ...mission, beganAtMs: clock.nowMs() };
      record.keepMission(mission);
      run();
      onChange();
    },
    async end(id) {
      stop.abort();
      await untilDelivered(tracker, { changes, clock });
      return debrief(mission, tracker, { id, endedAtMs: clock.nowMs() });
    },
    async dispose() {
      stop.abort();
      time.keep(tracker);
      await stack.dispose();
    },
  };
}

const maxAgain = 3;

function createFollowing({ core, tracker }: { core: WorkspaceCore; tracker: StepTracker }) {
  const again = new Map<string, number>();
  const read = (id: string): Promise<ProposalView> => core.handlers['proposals.get']({ id });

  async function look(proposal: ProposalView, atMs: number): Promise<void> {
    for (let next = tracker.look(proposal, atMs); next !== null; next = tracker.look(proposal, atMs)) {
      proposal = await read(next);
    }
    const step = tracker.stepOf(proposal.id);
    if (step?.end === null && isOutdated(proposal)) proposeAgain(step.id);
  }

  function proposeAgain(stepId: string): void {
    const count = (again.get(stepId) ?? 0) + 1;
    again.set(stepId, count);
    if (count <= maxAgain) tracker.reopen(stepId);
    else tracker.end(stepId, 'undecided');
  }

  return {
    look,
    /** Continues steps that had not ended when the mission was closed: undecided steps are proposed again. */
    async resume(): Promise<void> {
      for (const { id, proposalId, end } of tracker.all()) {
        if (proposalId === null || end !== null) continue;
        const proposal = await read(proposalId);
        // The agent's disconnection withdrew the proposal. A person's withdrawal was recorded while the mission was
        // open.
        if (proposal.state === 'withdrawn') tracker.reopen(id);
        else await look(proposal, proposal.updatedAtMs);
      }
    },
  };
}

function isOutdated({ state, outcome }: ProposalView): boolean {
  return state === 'stale' || (state === 'refused' && outcome?.code === 'tool_refused');
}

const deliveryMs = 20_000;

async function untilDelivered(
  tracker: Pick<StepTracker, 'isDelivering'>,
  { changes, clock }: { changes: Listeners<void>; clock: Clock },
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = (): void => void (tracker.isDelivering() || resolve());
  const forget = changes.add(check);
  const cancel = clock.after(deliveryMs, resolve);
  check();
  await promise;
  forget();
  cancel();
}

/**
 * Arms the incidents of a resumed mission again, because the restarted service has forgotten changed tools and planned losses
 * of answers.
 */
function restoreIncidents(
  { steps }: MissionPlan,
  { tracker, service }: { tracker: StepTracker; service: WorkspaceService },
): void {
  for (const { id, incident } of steps) {
    const { hadIncident, end } = tracker.of(id);
    if (incident === undefined || !hadIncident) continue;
    const { incident: happened } = incident;
    if (happened.kind === 'changed-tool') service.redefineTool(happened.tool, happened);
    if (happened.kind === 'lost-answer' && end === null) tracker.setIncident(id, false);
  }
}

/** Runs from the first proposal on, and only while the mission is open. */
function createTimeLimit(options: {
  limitMs: number | null;
  record: Pick<MissionRecord, 'keepLeft'>;
  clock: Clock;
  onEnd(): void;
}) {
  const { limitMs, record, clock, onEnd } = options;
  /** By the monotonic clock, because the time of day may be set. */
  let endMs: number | null = null;
  let stop = (): void => {};
  const leftOf = (end: number): number => Math.max(0, Math.round(end - clock.monotonicMs()));

  function start(leftMs: number): void {
    endMs = clock.monotonicMs() + leftMs;
    record.keepLeft(leftMs);
    stop = clock.after(leftMs, onEnd);
  }

  return {
    endsAtMs: (): number | null => (endMs === null ? null : clock.nowMs() + leftOf(endMs)),
    start,
    keep(tracker: Pick<StepTracker, 'all'>): void {
      if (endMs !== null) return record.keepLeft(leftOf(endMs));
      const isProposed = tracker.all().some(({ proposalId }) => proposalId !== null);
      if (limitMs !== null && isProposed) start(limitMs);
    },
    stop: (): void => stop(),
  };
}

function prepare({ workspace, plan, name, clock }: MissionOptions): StoredMission {
  const { service } = workspace;
  const made = plan(service);
  service.editCampaigns(made.campaigns);
  return { name, plan: made, madeAtMs: clock.nowMs(), beganAtMs: null, leftMs: null };
}
