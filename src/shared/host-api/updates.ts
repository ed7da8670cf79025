import { z } from 'zod';
import type { EncodedError } from '../errors/index.ts';

export interface UpdateOffer {
  version: string;
  releasedAtMs: number;
  news: readonly string[];
  bytes: number;
}

/**
 * `administrator`: an administrator installed the app. `policy`: forbidden by the computer's policy, which may change
 * while the app runs.
 */
export type UpdatesOff = 'development' | 'administrator' | 'package-manager' | 'policy';

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

export interface UpdatesView {
  version: string;
  state: UpdateState;
  lookedAtMs: number | null;
  daily: boolean;
}

export const updateSteps = ['look', 'download', 'cancel', 'install'] as const;

export type UpdateStep = (typeof updateSteps)[number];

/** The newest feed of updates that was ever accepted. An older feed is refused, which prevents a rollback. */
export const newestFeedSchema = z.object({ version: z.string(), releasedAtMs: z.number() });

export type NewestFeed = z.infer<typeof newestFeedSchema>;
