import type { MissionRecord, StoredStep } from '#core/store/training/index.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { isInDelivery } from '#shared/proposals/states.ts';
import type { MissionStep, StepEnd, StepRecord } from '#shared/training/index.ts';

export interface StepTracker {
  of(stepId: string): StoredStep;
  all(): StoredStep[];
  stepOf(proposalId: string): StoredStep | null;
  assign(stepId: string, proposal: ProposalView): void;
  /** Records a proposal's state. Returns the id of its successor, which the caller should look at next, or null. */
  look(proposal: ProposalView, atMs: number): string | null;
  reopen(stepId: string): void;
  setIncident(stepId: string, hadIncident: boolean): void;
  end(stepId: string, end: StepEnd): void;
  isDelivering(): boolean;
  records(): StepRecord[];
}

export function createStepTracker(options: {
  steps: readonly MissionStep[];
  record: Pick<MissionRecord, 'steps' | 'keepStep'>;
  onChange(): void;
}): StepTracker {
  const { steps, record, onChange } = options;
  const stored = new Map(record.steps().map((step) => [step.id, step]));
  const entries = new Map(steps.map(({ id }) => [id, stored.get(id) ?? newStep(id)]));
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
          // An unknown outcome counts as stored.
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

function momentsOf(
  { shownAtMs, decidedAtMs }: StoredStep,
  { state }: ProposalView,
  atMs: number,
): Pick<StoredStep, 'shownAtMs' | 'decidedAtMs'> {
  if (state === 'shown') return { shownAtMs: shownAtMs ?? atMs, decidedAtMs: null };
  return { shownAtMs, decidedAtMs: state === 'proposed' ? null : (decidedAtMs ?? atMs) };
}

const stoppedBy: ReadonlySet<string> = new Set(['agents_frozen', 'agent_ended']);

const ends: Partial<Record<ProposalView['state'], StepEnd>> = {
  verified: 'let-through',
  differs: 'let-through',
  done: 'let-through',
  denied: 'stopped',
  expired: 'undecided',
};

/** Returns null while the end is open. An unknown outcome stays open, because the write may turn out not to be stored. */
function endOf({ state, outcome }: ProposalView): StepEnd | null {
  // A person's withdrawal has no outcome; Countersign's own withdrawal has a code.
  const isOfPerson = outcome === null || stoppedBy.has(outcome.code);
  if (state === 'withdrawn') return isOfPerson ? 'stopped' : 'undecided';
  // The agent tries again after a refusal by the service.
  if (state === 'refused') return outcome?.code === 'tool_refused' ? null : 'undecided';
  return ends[state] ?? null;
}
