import { z } from 'zod';

/**
 * The complete campaign (contract §2.4), as far as clients may check it: the rest is kept as it is stored, and what applies
 * depends on the type.
 */
export const campaignPayloadSchema = z.looseObject({
  cid: z.int(),
  uid: z.int(),
  name: z.string(),
  type: z.int(),
  status: z.int().min(0).max(4),
  payout: z.number(),
});
