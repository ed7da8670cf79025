import type { Clock } from '#core/platform/clock.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Listeners } from '#shared/lib/listeners.ts';
import type { WorkspaceCore } from '../workspace-core.ts';
import type { StepTracker } from './step-tracker.ts';

/** Follows the proposals of steps to what became of each. */
export interface Following {
  /** Takes over the state that a proposal had at this time, and that of its successors. */
  look(proposal: ProposalView, atMs: number): Promise<void>;
  /** The same for every step that had not ended when the mission was left: what was not decided has to be proposed again. Fails with `mission_edited`. */
  resume(): Promise<void>;
}

/** Attempts of the agent after the first one, where the campaign changes each time. */
const maxAgain = 3;

export function createFollowing({ core, tracker }: { core: WorkspaceCore; tracker: StepTracker }): Following {
  /** How often each step was proposed again. */
  const again = new Map<string, number>();
  const read = (id: string): Promise<ProposalView> => core.handlers['proposals.get']({ id });

  /** A proposal that the record names is in the ledger's database. */
  async function readKnown(id: string): Promise<ProposalView> {
    try {
      return await read(id);
    } catch (cause) {
      throw new AppError('mission_edited', { data: { because: 'a proposal that is not there' }, cause });
    }
  }

  async function look(proposal: ProposalView, atMs: number): Promise<void> {
    const met = new Set<string>();
    for (let next = tracker.look(proposal, atMs); next !== null; next = tracker.look(proposal, atMs)) {
      if (met.has(next))
        throw new AppError('mission_edited', { data: { because: 'proposals that replace each other' } });
      met.add(next);
      proposal = await read(next);
    }
    const step = tracker.stepOf(proposal.id);
    if (step?.end === null && isOutdated(proposal)) proposeAgain(step.id);
  }

  /** The agent proposes it on the new state; a few times at most. */
  function proposeAgain(stepId: string): void {
    const count = (again.get(stepId) ?? 0) + 1;
    again.set(stepId, count);
    if (count <= maxAgain) tracker.reopen(stepId);
    else tracker.end(stepId, 'undecided');
  }

  return {
    look,
    async resume() {
      for (const { id, proposalId, end } of tracker.all()) {
        if (proposalId === null || end !== null) continue;
        const proposal = await readKnown(proposalId);
        // The agent's own withdrawal, as it goes: of a person's the tracker knew while the mission was open.
        if (proposal.state === 'withdrawn') tracker.reopen(id);
        else await look(proposal, proposal.updatedAtMs);
      }
    },
  };
}

/** True where the campaign changed before the write was stored, as the core or the service noticed. */
function isOutdated({ state, outcome }: ProposalView): boolean {
  return state === 'stale' || (state === 'refused' && outcome?.code === 'tool_refused');
}

/** Longest wait for a write that is on its way to the service when the mission ends. */
const deliveryMs = 20_000;

/** Resolves when nothing is on its way to the service any more. */
export async function untilDelivered(
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
