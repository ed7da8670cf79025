import { z } from 'zod';
import { guardrailsSchema } from '../proposals/agents.ts';
import { nothing, reasonSchema, request } from '../define.ts';

/** The policy of the computer's administrator, as far as it holds. It can only tighten what the user has set. */
export const policySchema = z.object({
  /** Where it is looked for; null on a system, or in training, where none is read. */
  file: z.string().nullable(),
  /** The reason why the file cannot be used: live profiles and agents are stopped meanwhile. Null while they are not. */
  problem: reasonSchema.nullable(),
  /** Limits that hold besides those of every profile; null for none. */
  guardrails: guardrailsSchema.nullable(),
  /** The origins that live profiles may name; null allows any. */
  liveServices: z.array(z.string()).nullable(),
  updatesOff: z.boolean(),
});

export type PolicyView = z.infer<typeof policySchema>;

export const policyApi = {
  'policy.get': request(nothing, policySchema),
};
