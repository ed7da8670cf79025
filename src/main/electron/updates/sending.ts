import { appApi } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isInDelivery } from '#shared/proposals/states.ts';
import type { CoreSupervisor } from '../core-link/supervisor.ts';

/** The core, as far as it is asked what is on its way. */
export type AskableCore = Pick<CoreSupervisor, 'state' | 'ask'>;

const pageLength = 200;

/** `sending` while a change is approved and its outcome is still to come. A core that is away, or fails to answer, sends nothing new. */
export async function sendingIn(core: AskableCore): Promise<'sending' | null> {
  if (core.state().kind !== 'ready') return null;
  const { output } = appApi['proposals.list'];
  try {
    for (let before: string | null = null; ;) {
      const input = { which: 'waiting', before, limit: pageLength, order: 'newest' };
      const { items } = output.parse(await core.ask('app', 'proposals.list', input));
      if (items.some(({ state }) => isInDelivery(state))) return 'sending';
      const last = items.at(-1);
      if (last === undefined) return null;
      before = last.id;
    }
  } catch (failure) {
    if (failure instanceof AppError) return null;
    throw failure;
  }
}
