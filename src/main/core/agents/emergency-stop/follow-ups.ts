import type { Clock } from '#core/platform/clock.ts';
import type { NotSent } from './earlier-pauses.ts';
import type { LeftOut } from './memory.ts';

/** Asks for the pause of what an emergency stop left out, once for each campaign, when its change is settled. */
interface FollowUps {
  /** Some proposal changed, or another profile is active: perhaps one of those changes can be followed now. */
  look(): void;
  dispose(): void;
}

/** Campaigns that were left out, and the ended pauses that were looked through for them. */
export interface FollowUp extends NotSent {
  /** The pause that left them out; null if there was none. */
  of: string | null;
  /** The ones that can be asked for now. */
  free: number[];
}

/** Delay before a pause that could not be prepared is tried again, in milliseconds. */
const againMs = 5_000;

interface FollowUpOptions {
  clock: Pick<Clock, 'after'>;
  /** The gate proposes to the active profile. */
  activeProfileId(): string;
  /** Campaigns that the stop of this freeze left out in the profile; null once agents work again: then nothing more is paused. */
  leftOut(profileId: string): LeftOut | null;
  /** Further campaigns, which pauses of that stop have not sent. */
  notSent(profileId: string, left: LeftOut): NotSent;
  /** Campaigns of the profile with a write that was approved and is not settled. */
  underWay(profileId: string): ReadonlySet<number>;
  /** Records what is asked for, and what else was left out. Resolves with false if that failed; never fails for an expected failure. */
  pause(profileId: string, followUp: FollowUp): Promise<boolean>;
}

export function createFollowUps(options: FollowUpOptions): FollowUps {
  const { clock, activeProfileId, leftOut, notSent, underWay, pause } = options;
  let due: NodeJS.Immediate | null = null;
  let isAsking = false;
  let isOver = false;
  let cancelAgain = (): void => {};

  /** The next pause to ask for; null if there is none. */
  function next(profileId: string): FollowUp | null {
    const left = leftOut(profileId);
    if (left === null) return null;
    const { ended, cids } = notSent(profileId, left);
    const all = [...new Set([...left.cids, ...cids])];
    const busy = all.length === 0 ? none : underWay(profileId);
    const free = all.filter((cid) => !busy.has(cid));
    return free.length === 0 && ended.length === 0 ? null : { of: left.of, ended, cids: all, free };
  }

  function sweep(): void {
    due = null;
    const profileId = activeProfileId();
    const followUp = isAsking ? null : next(profileId);
    if (followUp !== null) void ask(profileId, followUp);
  }

  async function ask(profileId: string, followUp: FollowUp): Promise<void> {
    isAsking = true;
    cancelAgain();
    const isRecorded = await pause(profileId, followUp);
    isAsking = false;
    if (isOver) return;
    if (isRecorded) look();
    else cancelAgain = clock.after(againMs, look);
  }

  function look(): void {
    // A burst of changes is one look, and never within the transaction of one of them.
    if (!isOver) due ??= setImmediate(sweep);
  }

  return {
    look,
    dispose() {
      isOver = true;
      cancelAgain();
      if (due !== null) clearImmediate(due);
    },
  };
}

const none: ReadonlySet<number> = new Set();
