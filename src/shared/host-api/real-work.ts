import { z } from 'zod';

/** The real work beside training, for its page. It names nothing of any change. */
export const realWorkSchema = z.object({
  /** Number of real changes that wait for a decision; null while it is unknown. */
  waiting: z.int().nullable(),
  /** All real agents are frozen; null while it is unknown. */
  frozen: z.boolean().nullable(),
});

export type RealWork = z.infer<typeof realWorkSchema>;
