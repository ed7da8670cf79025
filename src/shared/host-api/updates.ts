import { z } from 'zod';
import type { EncodedError } from '../errors/index.ts';

/** An update that the publisher has signed, as the page shows it. */
export interface UpdateOffer {
  version: string;
  releasedAtMs: number;
  /** The publisher's release notes: at most two lines. */
  news: readonly string[];
  /** Size of the download. */
  bytes: number;
}

/**
 * Reason for which an installation does not update itself: `administrator` where an administrator installs the app, `policy` where the
 * computer's policy forbids it, which may be corrected while the app runs.
 */
export type UpdatesOff = 'development' | 'administrator' | 'package-manager' | 'policy';

/** State of updates. `waiting` is an installation that a person asked for, before everything is quiet. */
export type UpdateState =
  | { kind: 'off'; because: UpdatesOff }
  | { kind: 'idle' }
  | { kind: 'looking' }
  | { kind: 'available'; offer: UpdateOffer }
  | { kind: 'downloading'; offer: UpdateOffer; receivedBytes: number }
  | { kind: 'ready'; offer: UpdateOffer }
  | { kind: 'waiting'; offer: UpdateOffer; for: 'decision' | 'sending' | 'check' }
  | { kind: 'installing'; offer: UpdateOffer }
  | { kind: 'refused'; failure: EncodedError };

/** Everything that the page shows about updates. */
export interface UpdatesView {
  /** The installed version. */
  version: string;
  state: UpdateState;
  /** The last look that got an answer; null before the first. */
  lookedAtMs: number | null;
  /** A look every day, without being asked. */
  daily: boolean;
}

/** Steps that a person may ask for. A step that does not fit the state is left out. */
export const updateSteps = ['look', 'download', 'cancel', 'install'] as const;

export type UpdateStep = (typeof updateSteps)[number];

/** The newest list of updates that was ever accepted: an older one is refused. */
export const newestFeedSchema = z.object({ version: z.string(), releasedAtMs: z.number() });

export type NewestFeed = z.infer<typeof newestFeedSchema>;
