import { z } from 'zod';

/** Answer of `/health` (contract §4.3): the process responds. */
export const healthSchema = z.looseObject({ status: z.literal('ok') });

/** Answer of `/ready` (contract §4.3): each dependency by name. */
export const readySchema = z.looseObject({
  status: z.enum(['ready', 'not_ready']),
  checks: z.record(z.string(), z.enum(['ok', 'failed'])),
});
