import { pause, type PreparedWrite, type ToolAnswer } from '#core/sample-agent/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { createSerialQueue } from '#shared/lib/serial-queue.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { createListeners, type Listeners } from '#shared/lib/listeners.ts';
import type { AgentWrite, Incident, MissionStep } from '#shared/training/index.ts';
import type { WorkspaceService } from '../workspace-core.ts';
import type { MissionAgent } from './agent.ts';
import type { StepTracker } from './step-tracker.ts';

type Attempt = { kind: 'proposed' } | { kind: 'refused'; code: string };

/** Proposes one step after the other without waiting for decisions. */
export interface Proposing {
  /** Resolves after the last step. Fails with the signal's reason. */
  run(): Promise<void>;
  /** Call it for each new proposal of the agent. It is assigned to the step that is being proposed. */
  arrived(proposal: ProposalView): void;
}

export interface ProposingOptions {
  steps: readonly MissionStep[];
  tracker: StepTracker;
  /** Null if a person froze all agents or revoked this agent. */
  agent: Pick<MissionAgent, 'commit'> | null;
  service: WorkspaceService;
  changes: Pick<Listeners<void>, 'add'>;
  clock: Clock;
  signal: AbortSignal;
}

const tryAgainMs = 5_000;

/** The agent tries again after these refusals, because they pass. */
const passing: ReadonlySet<string> = new Set([
  'tool_held',
  'campaign_locked',
  'too_many_waiting',
  'attempts_spent',
  'not_ready',
]);

const byPerson: ReadonlySet<string> = new Set(['agents_frozen', 'agent_ended', 'guardrail']);

export function createProposing(options: ProposingOptions): Proposing {
  const { steps, tracker, agent, service, changes, clock, signal } = options;
  const inTurn = createSerialQueue();
  const newProposals = createListeners<ProposalView>();
  const undo = new Map<string, () => void>();
  const hasEnded = (step: MissionStep): boolean => tracker.of(step.id).end !== null;

  function happen(step: MissionStep, at: 'before' | 'waiting'): void {
    if (step.incident?.at !== at || tracker.of(step.id).hadIncident) return;
    tracker.setIncident(step.id, true);
    undo.set(step.id, carryOut(step.incident.incident, step, service));
  }

  /** Runs one attempt at a time, so that the agent's next proposal belongs to this step. */
  async function attempt(step: MissionStep): Promise<Attempt> {
    if (agent === null) return { kind: 'refused', code: 'agents_frozen' };
    happen(step, 'before');
    const arrived = Promise.withResolvers<Attempt>();
    const stop = newProposals.add((proposal) => {
      tracker.assign(step.id, proposal);
      arrived.resolve({ kind: 'proposed' });
    });
    try {
      return await Promise.race([arrived.promise, agent.commit(writeOf(step)).then(attemptOf)]);
    } finally {
      stop();
    }
  }

  async function propose(step: MissionStep): Promise<void> {
    for (;;) {
      const tried = await inTurn(() => attempt(step));
      if (tried.kind === 'proposed') return happen(step, 'waiting');
      if (!passing.has(tried.code)) {
        return tracker.end(step.id, byPerson.has(tried.code) ? 'stopped' : 'undecided');
      }
      await pause(tryAgainMs, { clock, signal });
    }
  }

  async function follow(step: MissionStep): Promise<void> {
    do {
      await propose(step);
      await until(() => hasEnded(step) || tracker.of(step.id).proposalId === null);
    } while (!hasEnded(step));
    undo.get(step.id)?.();
  }

  async function until(isSo: () => boolean): Promise<void> {
    if (isSo()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = changes.add(() => void (isSo() && resolve()));
    await promise;
    stop();
    signal.throwIfAborted();
  }

  return {
    arrived: newProposals.emit,
    async run() {
      const under: Promise<void>[] = [];
      for (const [at, step] of steps.entries()) {
        if (hasEnded(step)) continue;
        if (step.afterOthers === true) await until(() => steps.slice(0, at).every(hasEnded));
        await pause(step.afterMs, { clock, signal });
        const followed = follow(step);
        followed.catch(() => {});
        under.push(followed);
      }
      await Promise.all(under);
    },
  };
}

function carryOut(incident: Incident, { write }: MissionStep, service: WorkspaceService): () => void {
  switch (incident.kind) {
    case 'edit':
      service.editCampaign(incident.cid, incident.fields);
      return () => {};
    case 'lost-answer': {
      // Armed for its campaign only, because other proposals may be approved first.
      const [cid] = write.kind === 'update' ? [write.cid] : write.cids;
      return service.faults.arm({ kind: 'cut-after-write', ...(cid !== undefined && { cid }) });
    }
    case 'changed-tool':
      service.redefineTool(incident.tool, incident);
      return () => {};
  }
}

function writeOf({ write, says }: MissionStep): PreparedWrite {
  return { ...toolOf(write), why: says };
}

function toolOf(write: AgentWrite): Pick<PreparedWrite, 'tool' | 'args' | 'beside'> {
  switch (write.kind) {
    case 'update': {
      const { cid, fields, beside } = write;
      return { tool: 'svc_prepare_campaign_update', args: { cid, changes: fields }, beside };
    }
    case 'status':
      return { tool: 'svc_prepare_campaign_status', args: { ids: [...write.cids], status: write.status } };
  }
}

/** A commit counts as proposed even if it settled before its proposal was seen. */
function attemptOf(answer: ToolAnswer): Attempt {
  return answer.kind === 'refused' ? { kind: 'refused', code: answer.code } : { kind: 'proposed' };
}
