import type { Clock } from '#core/platform/clock.ts';
import { type AsyncDisposable, DisposableStack } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import {
  type MissionRecord,
  openMissionRecord,
  type StoredAttempt,
  type StoredMission,
} from '#core/store/training/index.ts';
import type { WorkspaceView } from '#shared/app-api/index.ts';
import { createListeners } from '#shared/lib/listeners.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import type { MissionPlan } from '#shared/training/index.ts';
import type { WorkspaceService } from '../workspace-core.ts';
import type { Workspace } from '../workspaces.ts';
import { connectMissionAgent, endEarlierAgents } from './agent.ts';
import { debrief } from './debriefing.ts';
import { createFollowing, untilDelivered } from './following.ts';
import { createProposing } from './proposing.ts';
import { createStepBook, type StepBook } from './step-book.ts';

/** A mission in its open workspace. Dispose stops the agent; what is undecided is proposed again when the mission is resumed. */
export interface Mission extends AsyncDisposable {
  view(): Extract<WorkspaceView, { kind: 'mission' }>;
  /** The briefing was read: the agent begins. Does nothing when it has begun. */
  begin(): void;
  /** Stops the agent, waits for what is on its way to the service, and judges. */
  end(attemptId: string): Promise<StoredAttempt>;
}

export interface MissionOptions {
  workspace: Pick<Workspace, 'core' | 'service' | 'relay' | 'folder'>;
  /** Makes the plan of a mission that has no record yet. */
  plan(service: WorkspaceService): MissionPlan;
  /** The name that trains, for such a mission. */
  name: string;
  version: string;
  clock: Clock;
  logger: Logger;
  onChange(): void;
  /** Every step has ended, or the time is up; called once. */
  onOver(): void;
}

/** Prepares a mission in a new workspace, or resumes it as its record says. Leaves nothing open when it fails. */
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
  const { workspace, version, clock, logger, onChange, onOver } = options;
  const { core, service, relay, folder } = workspace;
  const record = stack.use(openMissionRecord({ folder, clock, logger }));
  let mission = record.mission() ?? prepare(options);
  record.keepMission(mission);
  const { plan } = mission;
  const stop = new AbortController();
  const changes = createListeners<void>();
  let isOver = false;

  const time = createTimeLimit({ limitMs: plan.limitMs, record, clock, onEnd: over });
  stack.defer(time.stop);
  if (mission.leftMs !== null) time.start(mission.leftMs);
  const book = createStepBook({
    steps: plan.steps,
    record,
    onChange() {
      time.keep(book);
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
    if (book.all().every(({ end }) => end !== null)) over();
  }

  const following = createFollowing({ core, book });
  restoreIncidents(plan, { book, service });
  await endEarlierAgents(core);
  await following.resume();
  const { agents } = await core.handlers['session.status']({});
  const isFrozen = agents.frozenSinceMs !== null;
  const agent = isFrozen ? null : stack.use(await connectMissionAgent({ core, relay, version, clock }));
  const proposing = createProposing({
    steps: plan.steps,
    book,
    agent,
    service,
    changes,
    clock,
    signal: stop.signal,
  });

  const known = new Set<string>();
  /** Reads at once: each event finds its own state. */
  async function see(id: string, atMs: number): Promise<void> {
    const isFirst = !known.has(id);
    known.add(id);
    const proposal = await core.handlers['proposals.get']({ id });
    const isNew = isFirst && isUndecided(proposal.state) && proposal.rebase === null;
    if (isNew && proposal.proposedBy.agentId === agent?.id) proposing.arrived(proposal);
    await following.look(proposal, atMs);
  }

  stack.defer(
    core.subscribe((event) => {
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
      decided: book.all().filter(({ end }) => end !== null).length,
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
      await untilDelivered(book, { changes, clock });
      return debrief(mission, book, { id, endedAtMs: clock.nowMs() });
    },
    async dispose() {
      stop.abort();
      time.keep(book);
      await stack.dispose();
    },
  };
}

/** Of an embedded service that was opened again: a tool is changed as before, and an answer that was not lost yet is lost later. */
function restoreIncidents(
  { steps }: MissionPlan,
  { book, service }: { book: StepBook; service: WorkspaceService },
): void {
  for (const { id, incident } of steps) {
    const { hadIncident, end } = book.of(id);
    if (incident === undefined || !hadIncident) continue;
    const { incident: happened } = incident;
    if (happened.kind === 'changed-tool') service.offerTool(happened.tool, happened);
    if (happened.kind === 'lost-answer' && end === null) book.setIncident(id, false);
  }
}

/** The limit of a mission counts from its first proposal, and only while the mission is open. */
interface TimeLimit {
  endsAtMs(): number | null;
  start(leftMs: number): void;
  /** Records the time that is left; starts with the first proposal. */
  keep(book: Pick<StepBook, 'all'>): void;
  stop(): void;
}

function createTimeLimit(options: {
  limitMs: number | null;
  record: Pick<MissionRecord, 'keepLeft'>;
  clock: Clock;
  onEnd(): void;
}): TimeLimit {
  const { limitMs, record, clock, onEnd } = options;
  let endsAtMs: number | null = null;
  let stop = (): void => {};

  function start(leftMs: number): void {
    endsAtMs = clock.nowMs() + leftMs;
    record.keepLeft(leftMs);
    stop = clock.after(leftMs, onEnd);
  }

  return {
    endsAtMs: () => endsAtMs,
    start,
    keep(book) {
      if (endsAtMs !== null) return record.keepLeft(Math.max(0, endsAtMs - clock.nowMs()));
      const isProposed = book.all().some(({ proposalId }) => proposalId !== null);
      if (limitMs !== null && isProposed) start(limitMs);
    },
    stop: () => stop(),
  };
}

/** Writes the variant into the embedded service. */
function prepare({ workspace, plan, name, clock }: MissionOptions): StoredMission {
  const { service } = workspace;
  const made = plan(service);
  service.editCampaigns(made.campaigns);
  return { name, plan: made, madeAtMs: clock.nowMs(), beganAtMs: null, leftMs: null };
}
