import type { MissionRecord, StoredStep } from '#core/store/training/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { isInDelivery, isUndecided } from '#shared/proposals/states.ts';
import type { MissionStep, StepEnd, StepRecord } from '#shared/training/index.ts';

/** Tracks the steps of a mission, each with its proposal and how that ended; kept in the record of the workspace. */
export interface StepTracker {
  of(stepId: string): StoredStep;
  all(): StoredStep[];
  stepOf(proposalId: string): StoredStep | null;
  /** The step was proposed as this, in place of any earlier proposal. */
  assign(stepId: string, proposal: ProposalView): void;
  /** Takes over the state that a proposal of a step has at this time. Returns its successor, which has to be looked at next, or null. */
  look(proposal: ProposalView, atMs: number): string | null;
  /** The step has to be proposed again: nothing of it was decided. */
  reopen(stepId: string): void;
  setIncident(stepId: string, hadIncident: boolean): void;
  end(stepId: string, end: StepEnd): void;
  /** True while something that was approved is on its way to the service. */
  isDelivering(): boolean;
  /** Outcome of every step if the mission ended now. */
  records(): StepRecord[];
}

/** Steps without an entry are entered as not proposed. */
export function createStepTracker(options: {
  steps: readonly MissionStep[];
  record: Pick<MissionRecord, 'steps' | 'keepStep'>;
  onChange(): void;
}): StepTracker {
  const { steps, record, onChange } = options;
  const stored = new Map(record.steps().map((step) => [step.id, step]));
  const entries = new Map(steps.map(({ id }) => [id, stored.get(id) ?? newStep(id)]));
  /** The latest proposal of each step, as it was seen last. */
  const views = new Map<string, ProposalView>();

  function of(stepId: string): StoredStep {
    const entry = entries.get(stepId);
    if (entry === undefined) throw new Error(`The plan has no step ${stepId}`);
    return entry;
  }

  function keep(step: StoredStep): void {
    entries.set(step.id, step);
    record.keepStep(step);
    onChange();
  }

  return {
    of,
    all: () => [...entries.values()],
    stepOf: (proposalId) => [...entries.values()].find((step) => step.proposalId === proposalId) ?? null,
    assign(stepId, { id, title }) {
      keep({ ...of(stepId), proposalId: id, title, shownAtMs: null, decidedAtMs: null });
    },
    look(proposal, atMs) {
      const step = [...entries.values()].find(({ proposalId }) => proposalId === proposal.id);
      if (step === undefined || step.end !== null) return null;
      views.set(step.id, proposal);
      const next = { ...step, ...momentsOf(step, proposal, atMs) };
      if (proposal.replacedBy !== null) {
        keep({ ...next, proposalId: proposal.replacedBy, decidedAtMs: null });
        return proposal.replacedBy;
      }
      const end = endOf(proposal);
      keep({ ...next, end, reason: proposal.reason });
      return null;
    },
    reopen(stepId) {
      views.delete(stepId);
      keep({ ...of(stepId), proposalId: null, shownAtMs: null, decidedAtMs: null });
    },
    setIncident: (stepId, hadIncident) => keep({ ...of(stepId), hadIncident }),
    end: (stepId, end) => keep({ ...of(stepId), end }),
    isDelivering: () =>
      [...entries.values()].some(({ id, end }) => {
        const view = views.get(id);
        return end === null && view !== undefined && isInDelivery(view.state);
      }),
    records: () =>
      [...entries.values()].map(
        ({ id, proposalId, title, end, shownAtMs, decidedAtMs, hadIncident, reason }) => ({
          stepId: id,
          // Counts as stored: it was sent and may be.
          end: end ?? (views.get(id)?.state === 'unknown' ? 'let-through' : 'undecided'),
          decidedInMs:
            shownAtMs === null || decidedAtMs === null ? null : Math.max(0, decidedAtMs - shownAtMs),
          reason,
          isProposed: title !== null,
          isHeldBack: hadIncident && proposalId === null && end === null,
        }),
      ),
  };
}

function newStep(id: string): StoredStep {
  return {
    id,
    proposalId: null,
    title: null,
    shownAtMs: null,
    decidedAtMs: null,
    hadIncident: false,
    end: null,
    reason: null,
  };
}

/** When the proposal was shown first, and when it was decided. */
function momentsOf(
  { shownAtMs, decidedAtMs }: StoredStep,
  { state }: ProposalView,
  atMs: number,
): Pick<StoredStep, 'shownAtMs' | 'decidedAtMs'> {
  if (state === 'shown') return { shownAtMs: shownAtMs ?? atMs, decidedAtMs: null };
  return { shownAtMs, decidedAtMs: state === 'proposed' ? null : (decidedAtMs ?? atMs) };
}

/** Outcomes of a waiting proposal whose agent a person stopped. */
const stoppedBy: ReadonlySet<string> = new Set(['agents_frozen', 'agent_ended']);

/** How a proposal ended; null while it may go on. One that waits for a read may still be found not stored. */
function endOf({ state, outcome }: ProposalView): StepEnd | null {
  if (isUndecided(state) || isInDelivery(state)) return null;
  switch (state) {
    case 'verified':
    case 'differs':
    case 'done':
      return 'let-through';
    case 'denied':
      return 'stopped';
    case 'withdrawn':
      // A person takes a proposal back without a reason; Countersign gives one.
      return outcome === null || stoppedBy.has(outcome.code) ? 'stopped' : 'undecided';
    case 'refused':
      // The agent tries again what the service itself refused.
      return outcome?.code === 'tool_refused' ? null : 'undecided';
    case 'expired':
      return 'undecided';
    default:
      return null;
  }
}
