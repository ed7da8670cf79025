import type { Gate } from '#core/proposals/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import type { RememberedPause } from './memory.ts';
import { isUndecided, latestOf } from './paused.ts';

export interface WaitingOptions {
  store: AppStore;
  gate: Pick<Gate, 'get' | 'withdraw'>;
}

/** Pauses that a person has not decided yet. */
export interface WaitingPauses {
  /** The first one is the one to show. */
  ids: readonly string[];
  cids: ReadonlySet<number>;
}

/** What waits of the newest pause and of those that followed it, each as it was asked last; null where nothing does. */
export function waitingPauses(
  options: WaitingOptions,
  [newest]: readonly RememberedPause[],
): WaitingPauses | null {
  if (newest === undefined) return null;
  const { store } = options;
  const waiting = [newest.pause, ...newest.more]
    .filter((id) => isUndecided(options, id))
    .flatMap((id) => latestOf(store, id) ?? []);
  if (waiting.length === 0) return null;
  return { ids: waiting.map(({ id }) => id), cids: new Set(waiting.flatMap(({ targets }) => targets)) };
}

/** Takes them back, because another pause stands in for them. */
export function withdrawAll({ store, gate }: WaitingOptions, ids: readonly string[]): void {
  for (const id of ids) {
    const { detail } = gate.get(id);
    const members = detail.kind === 'batch' ? detail.members.map((member) => member.id) : [];
    for (const one of [...members, id]) {
      if (isUndecided({ store, gate }, one)) gate.withdraw(one);
    }
  }
}
