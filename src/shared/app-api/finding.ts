import { z } from 'zod';
import { request } from './define.ts';

const cid = z.int().positive();

/** Campaigns that were read in full since the app started, and the progress of the load that runs or ran last. */
export const fullStateSchema = z.object({
  isRunning: z.boolean(),
  done: z.int(),
  total: z.int(),
  failed: z.array(z.object({ cid, message: z.string() })),
  /** The reason why the load ended early, in words; null if it did not. */
  failure: z.object({ message: z.string(), next: z.string() }).nullable(),
  /** Number of campaigns of the active profile that were read in full, and when the oldest of them was; null for none. */
  loaded: z.int(),
  oldestReadAtMs: z.number().nullable(),
});

export type FullState = z.infer<typeof fullStateSchema>;

export const findingApi = {
  /**
   * Begins to read campaigns of the active profile in full, or all of them with null, and takes the place of a load that runs. Those that
   * were read before are read anew only if `again` is true. Progress is reported by `campaigns.loading`.
   */
  'campaigns.loadFull': request(
    z.object({ cids: z.array(cid).min(1).max(10_000).nullable(), again: z.boolean() }),
    z.object({}),
  ),
  'campaigns.fullState': request(z.object({}), fullStateSchema),
  /** Ends the load; what was read stays. */
  'campaigns.stopLoading': request(z.object({}), z.object({})),
};
