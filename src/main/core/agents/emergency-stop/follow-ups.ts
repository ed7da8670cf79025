import type { Clock } from '#core/platform/clock.ts';
import type { AppStore } from '#core/store/app/index.ts';
import { lockedCampaigns } from './campaigns.ts';

/** Campaigns that an emergency stop had to leave out, because a change of them was under way. */
export interface LeftOut {
  /** The pause that left them out; null if there was none. */
  of: string | null;
  cids: readonly number[];
}

/** Asks for the pause of what an emergency stop left out, once for each campaign, when its change is settled. */
interface FollowUps {
  /** In place of what the stop before left out. */
  leave(profileId: string, left: LeftOut): void;
  /** Some proposal changed, or another profile is active: perhaps one of those changes can be followed now. */
  look(): void;
  dispose(): void;
}

/** Delay before a pause that could not be prepared is tried again, in milliseconds. */
const againMs = 5_000;

interface FollowUpOptions {
  clock: Pick<Clock, 'after'>;
  store: { proposals: Pick<AppStore['proposals'], 'lockOf'> };
  /** False once agents work again: then nothing more is paused. */
  isFrozen(): boolean;
  /** The gate proposes to the active profile. */
  activeProfileId(): string;
  /** Resolves with those that have to be asked for again. Never fails for an expected failure. */
  pause(profileId: string, left: LeftOut): Promise<readonly number[]>;
}

export function createFollowUps(options: FollowUpOptions): FollowUps {
  const { clock, store, isFrozen, activeProfileId, pause } = options;
  const leftOut = new Map<string, LeftOut>();
  let due: NodeJS.Immediate | null = null;
  let isOver = false;
  let cancelAgain = (): void => {};
  /** Another stop of the profile, or the end of the freeze, has put something in place of what is asked for. */
  const stops = new Map<string, number>();
  let thaws = 0;
  const turnOf = (profileId: string): string => `${thaws} ${stops.get(profileId) ?? 0}`;

  function sweep(): void {
    due = null;
    if (!isFrozen()) {
      thaws += 1;
      return leftOut.clear();
    }
    const profileId = activeProfileId();
    const left = leftOut.get(profileId);
    if (left === undefined) return;
    const locked = lockedCampaigns(store, profileId, left.cids);
    const free = left.cids.filter((cid) => !locked.includes(cid));
    if (free.length === 0) return;
    keep(profileId, { ...left, cids: locked });
    void ask(profileId, { ...left, cids: free });
  }

  async function ask(profileId: string, left: LeftOut): Promise<void> {
    const turn = turnOf(profileId);
    const again = await pause(profileId, left);
    if (isOver || turn !== turnOf(profileId)) return;
    keep(profileId, { ...left, cids: [...(leftOut.get(profileId)?.cids ?? []), ...again] });
    cancelAgain();
    if (again.length > 0) cancelAgain = clock.after(againMs, look);
  }

  function keep(profileId: string, left: LeftOut): void {
    if (left.cids.length === 0) leftOut.delete(profileId);
    else leftOut.set(profileId, left);
  }

  function look(): void {
    // A burst of changes is one look, and never within the transaction of one of them.
    if (!isOver && leftOut.size > 0) due ??= setImmediate(sweep);
  }

  return {
    leave(profileId, left) {
      stops.set(profileId, (stops.get(profileId) ?? 0) + 1);
      keep(profileId, left);
    },
    look,
    dispose() {
      isOver = true;
      cancelAgain();
      if (due !== null) clearImmediate(due);
    },
  };
}
