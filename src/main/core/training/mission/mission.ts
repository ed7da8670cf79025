import type { Clock } from '#core/platform/clock.ts';
import { type AsyncDisposable, DisposableStack } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { openMissionRecord, type StoredAttempt, type StoredMission } from '#core/store/training/index.ts';
import type { ProposalView, WorkspaceView } from '#shared/app-api/index.ts';
import { createListeners } from '#shared/lib/listeners.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import type { MissionPlan } from '#shared/training/index.ts';
import type { WorkspaceService } from '../workspace-core.ts';
import type { Workspace } from '../workspaces.ts';
import { connectMissionAgent, endEarlierAgents } from './agent.ts';
import { debrief } from './debriefing.ts';
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

/** Longest wait for a write that is on its way to the service when the mission ends. */
const deliveryMs = 20_000;

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
  /** How often each step was proposed again. */
  const again = new Map<string, number>();
  let endsAtMs: number | null = null;
  let isOver = false;

  const book = createStepBook({
    steps: plan.steps,
    record,
    onChange() {
      keepTime();
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

  function startTime(leftMs: number): void {
    endsAtMs = clock.nowMs() + leftMs;
    record.keepLeft(leftMs);
    stack.defer(clock.after(leftMs, over));
  }

  /** The limit counts from the first proposal, and only while the mission is open. */
  function keepTime(): void {
    if (endsAtMs !== null) record.keepLeft(Math.max(0, endsAtMs - clock.nowMs()));
    else if (plan.limitMs !== null && book.all().some(({ proposalId }) => proposalId !== null)) {
      startTime(plan.limitMs);
    }
  }

  const read = (id: string): Promise<ProposalView> => core.handlers['proposals.get']({ id });

  async function look(proposal: ProposalView, atMs: number): Promise<void> {
    const successor = book.look(proposal, atMs);
    if (successor !== null) return look(await read(successor), atMs);
    const step = book.stepOf(proposal.id);
    if (step !== null && step.end !== 'let-through' && isOutdated(proposal)) proposeAgain(step.id);
  }

  /** The agent proposes it on the new state; a few times at most. */
  function proposeAgain(stepId: string): void {
    const count = (again.get(stepId) ?? 0) + 1;
    again.set(stepId, count);
    if (count <= maxAgain) book.reopen(stepId);
    else book.end(stepId, 'undecided');
  }

  async function lookAgain(stepId: string, proposalId: string): Promise<void> {
    const proposal = await read(proposalId);
    // It waited for a decision when the mission was left or the program ended; by a person it was ended otherwise.
    const isLeft = proposal.state === 'withdrawn' && leftBy.has(proposal.outcome?.code ?? '');
    return isLeft ? book.reopen(stepId) : look(proposal, proposal.updatedAtMs);
  }

  restoreIncidents(plan, { book, service });
  await endEarlierAgents(core);
  for (const { id, proposalId, end } of book.all()) {
    if (proposalId !== null && end === null) await lookAgain(id, proposalId);
  }
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
  async function see(id: string, atMs: number): Promise<void> {
    const proposal = await read(id);
    const isNew = !known.has(id) && isUndecided(proposal.state) && proposal.rebase === null;
    known.add(id);
    if (isNew && proposal.proposedBy.agentId === agent?.id) proposing.arrived(proposal);
    await look(proposal, atMs);
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

  /** Resolves when nothing is on its way to the service any more. */
  async function delivered(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = (): void => void (book.isDelivering() || resolve());
    const forget = changes.add(check);
    const cancel = clock.after(deliveryMs, resolve);
    check();
    await promise;
    forget();
    cancel();
  }

  if (mission.beganAtMs !== null) {
    if (mission.leftMs !== null) startTime(mission.leftMs);
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
      endsAtMs,
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
      await delivered();
      return debrief(mission, book, { id, endedAtMs: clock.nowMs() });
    },
    async dispose() {
      stop.abort();
      keepTime();
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

/** Attempts of the agent after the first one, where the campaign changes each time. */
const maxAgain = 3;

/** True where the campaign changed before the write was stored, as the core or the service noticed. */
function isOutdated({ state, outcome }: ProposalView): boolean {
  return state === 'stale' || (state === 'refused' && outcome?.code === 'tool_refused');
}

/** How a proposal ends that nobody decided on before its agent went. */
const leftBy: ReadonlySet<string> = new Set(['agent_ended', 'proposal_withdrawn']);

/** Writes the variant into the embedded service. */
function prepare({ workspace, plan, name, clock }: MissionOptions): StoredMission {
  const { service } = workspace;
  const made = plan(service);
  service.editCampaigns(made.campaigns);
  return { name, plan: made, madeAtMs: clock.nowMs(), beganAtMs: null, leftMs: null };
}
