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

/** The agent's side of a mission: it proposes one step after the other and does not wait for a person. */
export interface Proposing {
  /** Proposes every step that has not ended, at its time. Resolves when the last one was proposed; fails with the signal's reason. */
  run(): Promise<void>;
  /** A proposal of the agent that belongs to no step yet: the one that it proposes now. */
  arrived(proposal: ProposalView): void;
}

export interface ProposingOptions {
  steps: readonly MissionStep[];
  tracker: StepTracker;
  /** Null where a person has frozen all agents, or taken this one's access away: nothing passes. */
  agent: Pick<MissionAgent, 'commit'> | null;
  service: WorkspaceService;
  changes: Pick<Listeners<void>, 'add'>;
  clock: Clock;
  signal: AbortSignal;
}

const tryAgainMs = 5_000;

/** Refusals that may pass: a tool that is held, a campaign with an unknown outcome, places for what waits, and spent attempts. */
const passing: ReadonlySet<string> = new Set([
  'tool_held',
  'campaign_locked',
  'too_many_waiting',
  'attempts_spent',
  'not_ready',
]);

/** Refusals by which a person keeps an agent from proposing. */
const byPerson: ReadonlySet<string> = new Set(['agents_frozen', 'agent_ended', 'guardrail']);

export function createProposing(options: ProposingOptions): Proposing {
  const { steps, tracker, agent, service, changes, clock, signal } = options;
  const inTurn = createSerialQueue();
  const newProposals = createListeners<ProposalView>();
  /** Take an incident back that has not hit anything. */
  const undo = new Map<string, () => void>();
  const hasEnded = (step: MissionStep): boolean => tracker.of(step.id).end !== null;

  function happen(step: MissionStep, at: 'before' | 'waiting'): void {
    if (step.incident?.at !== at || tracker.of(step.id).hadIncident) return;
    tracker.setIncident(step.id, true);
    undo.set(step.id, carryOut(step.incident.incident, step, service));
  }

  /** One at a time: the next proposal of the agent is the one of this step. */
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

  /** Proposes it, and once more each time when its campaign changed before it was sent. */
  async function follow(step: MissionStep): Promise<void> {
    do {
      await propose(step);
      await until(() => hasEnded(step) || tracker.of(step.id).proposalId === null);
    } while (!hasEnded(step));
    undo.get(step.id)?.();
  }

  /** Resolves when it is so after a change of a step; never after the signal. */
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

/** Returns what takes it back as long as nothing has met it. */
function carryOut(incident: Incident, { write }: MissionStep, service: WorkspaceService): () => void {
  switch (incident.kind) {
    case 'edit':
      service.editCampaign(incident.cid, incident.fields);
      return () => {};
    case 'lost-answer': {
      // Bound to its campaign: other proposals may be approved before this one.
      const [cid] = write.kind === 'update' ? [write.cid] : write.cids;
      return service.faults.arm({ kind: 'cut-after-write', ...(cid !== undefined && { cid }) });
    }
    case 'changed-tool':
      service.offerTool(incident.tool, incident);
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

/** A commit that settled before its proposal was seen has been one. */
function attemptOf(answer: ToolAnswer): Attempt {
  return answer.kind === 'refused' ? { kind: 'refused', code: answer.code } : { kind: 'proposed' };
}
