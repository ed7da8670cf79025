import { proposalSchema } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { CoreSupervisor } from '../core-link/index.ts';

/** So many proposals are remembered as known; an older one that changes again is asked about again. */
const rememberedCount = 1_000;

/** Calls back once for each proposal that newly waits for a decision. Returns the way to stop. */
export function watchNewProposals(
  core: Pick<CoreSupervisor, 'onEvent' | 'ask'>,
  hear: () => void,
): () => void {
  const known = new Set<string>();
  async function meet(id: string): Promise<void> {
    if (known.has(id)) return;
    known.add(id);
    const [oldest] = known;
    if (known.size > rememberedCount && oldest !== undefined) known.delete(oldest);
    if (await isWaiting(core, id)) hear();
  }
  return core.onEvent((event) => {
    if (event.kind === 'proposals.changed') void meet(event.id);
  });
}

async function isWaiting(core: Pick<CoreSupervisor, 'ask'>, id: string): Promise<boolean> {
  try {
    const answer = await core.ask('app', 'proposals.get', { id });
    const state = proposalSchema.safeParse(answer).data?.state;
    return state === 'proposed' || state === 'shown';
  } catch (failure) {
    if (failure instanceof AppError) return false;
    throw failure;
  }
}
