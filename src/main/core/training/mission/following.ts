import type { Clock } from '#core/platform/clock.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import type { Listeners } from '#shared/lib/listeners.ts';
import type { WorkspaceCore } from '../workspace-core.ts';
import type { StepBook } from './step-book.ts';

/** Follows the proposals of steps to what became of each. */
export interface Following {
  /** Takes over the state that a proposal had at this time, and that of its successors. */
  look(proposal: ProposalView, atMs: number): Promise<void>;
  /** The same for every step that had not ended when the mission was left: what was not decided has to be proposed again. */
  resume(): Promise<void>;
}

/** Attempts of the agent after the first one, where the campaign changes each time. */
const maxAgain = 3;

/** How a proposal ends that nobody decided on before its agent went. */
const leftBy: ReadonlySet<string> = new Set(['agent_ended', 'proposal_withdrawn']);

export function createFollowing({ core, book }: { core: WorkspaceCore; book: StepBook }): Following {
  /** How often each step was proposed again. */
  const again = new Map<string, number>();
  const read = (id: string): Promise<ProposalView> => core.handlers['proposals.get']({ id });

  async function look(proposal: ProposalView, atMs: number): Promise<void> {
    const successor = book.look(proposal, atMs);
    if (successor !== null) return look(await read(successor), atMs);
    const step = book.stepOf(proposal.id);
    if (step?.end === null && isOutdated(proposal)) proposeAgain(step.id);
  }

  /** The agent proposes it on the new state; a few times at most. */
  function proposeAgain(stepId: string): void {
    const count = (again.get(stepId) ?? 0) + 1;
    again.set(stepId, count);
    if (count <= maxAgain) book.reopen(stepId);
    else book.end(stepId, 'undecided');
  }

  return {
    look,
    async resume() {
      for (const { id, proposalId, end } of book.all()) {
        if (proposalId === null || end !== null) continue;
        const proposal = await read(proposalId);
        const isLeft = proposal.state === 'withdrawn' && leftBy.has(proposal.outcome?.code ?? '');
        if (isLeft) book.reopen(id);
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
  book: Pick<StepBook, 'isDelivering'>,
  { changes, clock }: { changes: Listeners<void>; clock: Clock },
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = (): void => void (book.isDelivering() || resolve());
  const forget = changes.add(check);
  const cancel = clock.after(deliveryMs, resolve);
  check();
  await promise;
  forget();
  cancel();
}
