import type { AppStore } from '#core/store/app/index.ts';
import { lockedCampaigns } from './writes.ts';

/** Campaigns that an emergency stop had to leave out, because a change of them was under way. */
export interface LeftOut {
  /** The pause that left them out; null where there was none. */
  of: string | null;
  cids: readonly number[];
}

/** Asks for the pause of what an emergency stop left out, once for each campaign, when its change is settled. */
export interface FollowUps {
  /** In place of what the stop before left out. */
  leave(profileId: string, left: LeftOut): void;
  /** Some proposal changed: perhaps one of those changes is settled. */
  look(): void;
  dispose(): void;
}

export interface FollowUpOptions {
  store: { proposals: Pick<AppStore['proposals'], 'lockOf'> };
  /** Whoever lets agents work again wants no more of it. */
  isFrozen(): boolean;
  /** The gate proposes to the profile in front. */
  inFront(): string;
  /** Resolves with those that have to be asked for again. Never fails for an expected failure. */
  pause(profileId: string, left: LeftOut): Promise<readonly number[]>;
}

export function createFollowUps({ store, isFrozen, inFront, pause }: FollowUpOptions): FollowUps {
  const leftOut = new Map<string, LeftOut>();
  let due: NodeJS.Immediate | null = null;
  let isOver = false;
  /** Another stop, or the end of the freeze, has put something in place of what is asked for. */
  let turns = 0;

  function sweep(): void {
    due = null;
    if (!isFrozen()) {
      turns += 1;
      return leftOut.clear();
    }
    const profileId = inFront();
    const left = leftOut.get(profileId);
    if (left === undefined) return;
    const locked = lockedCampaigns(store, profileId, left.cids);
    const free = left.cids.filter((cid) => !locked.includes(cid));
    if (free.length === 0) return;
    keep(profileId, { ...left, cids: locked });
    void ask(profileId, { ...left, cids: free });
  }

  async function ask(profileId: string, left: LeftOut): Promise<void> {
    const turn = turns;
    const again = await pause(profileId, left);
    if (turn !== turns) return;
    keep(profileId, { ...left, cids: [...(leftOut.get(profileId)?.cids ?? []), ...again] });
  }

  function keep(profileId: string, left: LeftOut): void {
    if (left.cids.length === 0) leftOut.delete(profileId);
    else leftOut.set(profileId, left);
  }

  return {
    leave(profileId, left) {
      turns += 1;
      keep(profileId, left);
    },
    look() {
      // A burst of changes is one look, and never within the transaction of one of them.
      if (!isOver && leftOut.size > 0) due ??= setImmediate(sweep);
    },
    dispose() {
      isOver = true;
      if (due !== null) clearImmediate(due);
    },
  };
}
