import { pause, type PreparedWrite, type ToolAnswer } from '#core/sample-agent/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { createSerialQueue } from '#core/platform/serial-queue.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { createListeners, type Listeners } from '#shared/lib/listeners.ts';
import type { AgentWrite, Incident, MissionStep } from '#shared/training/index.ts';
import type { WorkspaceService } from '../workspace-core.ts';
import type { MissionAgent } from './agent.ts';
import type { StepBook } from './step-book.ts';

/** How the agent's attempt to propose a step ended. */
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
  book: StepBook;
  /** Null where a person has frozen all agents: nothing passes. */
  agent: Pick<MissionAgent, 'commit'> | null;
  service: WorkspaceService;
  /** Emits when a step has changed. */
  changes: Pick<Listeners<void>, 'add'>;
  clock: Clock;
  signal: AbortSignal;
}

/** Time after which the agent tries again what cannot be proposed now. */
const tryAgainMs = 5_000;

/** Refusals that may pass: a tool that is held, a campaign with an unknown outcome, and places for what waits. */
const passing: ReadonlySet<string> = new Set([
  'tool_held',
  'campaign_locked',
  'too_many_waiting',
  'not_ready',
]);

/** Refusals by which a person keeps an agent from proposing. */
const byPerson: ReadonlySet<string> = new Set(['agents_frozen', 'agent_ended', 'guardrail']);

export function createProposing(options: ProposingOptions): Proposing {
  const { steps, book, agent, service, changes, clock, signal } = options;
  const inTurn = createSerialQueue();
  const arrivals = createListeners<ProposalView>();
  const hasEnded = (step: MissionStep): boolean => book.of(step.id).end !== null;

  function happen(step: MissionStep, at: 'before' | 'waiting'): void {
    if (step.incident?.at !== at || book.of(step.id).hadIncident) return;
    book.setIncident(step.id, true);
    carryOut(step.incident.incident, service);
  }

  /** One at a time: the next proposal of the agent is the one of this step. */
  async function attempt(step: MissionStep): Promise<Attempt> {
    if (agent === null) return { kind: 'refused', code: 'agents_frozen' };
    happen(step, 'before');
    const arrived = Promise.withResolvers<Attempt>();
    const stop = arrivals.add((proposal) => {
      book.assign(step.id, proposal);
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
        return book.end(step.id, byPerson.has(tried.code) ? 'stopped' : 'undecided');
      }
      await pause(tryAgainMs, { clock, signal });
    }
  }

  /** Proposes it, and once more each time when its campaign changed before it was sent. */
  async function follow(step: MissionStep): Promise<void> {
    do {
      await propose(step);
      await until(() => hasEnded(step) || book.of(step.id).proposalId === null);
    } while (!hasEnded(step));
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
    arrived: arrivals.emit,
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

function carryOut(incident: Incident, service: WorkspaceService): void {
  switch (incident.kind) {
    case 'edit':
      return service.editCampaign(incident.cid, incident.fields);
    case 'lost-answer':
      return void service.faults.arm({ kind: 'cut-after-write' });
    case 'changed-tool':
      return service.offerTool(incident.tool, incident);
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
