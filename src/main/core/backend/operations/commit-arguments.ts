import { z } from 'zod';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { hashOf } from './hash.ts';

const keyPattern = /^[\x21-\x7e]{1,200}$/;

/** A key of the caller's choice: one key, one write. */
export const idempotencyKey = z
  .string()
  .regex(keyPattern, 'An idempotency key has 1 to 200 visible ASCII characters.');

/** What `svc_commit` takes (contract §4.3, steps 3 to 5). */
export const commitInput = z.strictObject({
  approvalId: z.string().min(1).max(200),
  fingerprint: z.string().min(1).max(200),
  payload: z.record(z.string(), z.unknown()).describe('Unchanged, as the prepare gave it.'),
  idempotencyKey: idempotencyKey.describe(
    'Unique for this commit; the same one again gives the same answer.',
  ),
  // Not literally true here: a commit without it is refused as unconfirmed, not as malformed.
  confirmed: z.boolean().optional().describe('Must be true: a person has seen the diff and agreed.'),
});

/** The arguments of a commit. */
export interface CommitRequest {
  approvalId: string;
  fingerprint: string;
  payload: JsonObject;
  idempotencyKey: string;
  confirmed: boolean;
}

/** The arguments as they were read from strict JSON. */
export function commitRequestOf(args: z.output<typeof commitInput>): CommitRequest {
  return { ...args, payload: args.payload as JsonObject, confirmed: args.confirmed === true };
}

/** Tells one request from another under the same key. */
export function requestHashOf({ idempotencyKey: _key, ...request }: CommitRequest): string {
  return hashOf(request);
}
