import { z } from 'zod';

/** The envelope of every REST answer (contract §2.1). `data` is absent on the campaign update answer. */
export const envelopeSchema = z.looseObject({
  status: z.string(),
  message: z.string(),
  data: z.unknown().optional(),
});

/** Body of a REST error; our choice where the contract is silent (docs/architecture.md). */
export const errorBodySchema = z.looseObject({
  status: z.literal('error'),
  message: z.string(),
  code: z.string().optional(),
  errors: z.array(z.looseObject({ field: z.string(), code: z.string(), message: z.string() })).optional(),
});

/** Body of PUT update-status (contract §4.1). */
export interface UpdateStatusBody {
  ids: number[];
  status: number;
}
