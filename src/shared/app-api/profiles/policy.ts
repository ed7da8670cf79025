import { z } from 'zod';
import { guardrailsSchema } from '../proposals/agents.ts';
import { nothing, reasonSchema, request } from '../define.ts';

export const policySchema = z.object({
  /** Where it is looked for; null on a system, or in training, where none is read. */
  file: z.string().nullable(),
  /** The reason why the file cannot be used: live profiles and agents are stopped meanwhile. Null while they are not. */
  problem: reasonSchema.nullable(),
  guardrails: guardrailsSchema.nullable(),
  /** The origins that live profiles may name; null allows any. */
  liveServices: z.array(z.string()).nullable(),
  updatesOff: z.boolean(),
});

export type PolicyView = z.infer<typeof policySchema>;

export const policyApi = {
  'policy.get': request(nothing, policySchema),
};
