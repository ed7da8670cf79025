import { z } from 'zod';
import type { StoredProposal } from '#core/store/app/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { parseStrictJson } from '#shared/errors/index.ts';
import type { Draft } from '../operations/operation.ts';

const payloadSchema = z.object({
  /** What all of them do, in words. */
  equally: z.string(),
  /** In the order in which they are listed and carried out, each as the batch's own fingerprint covers it. */
  members: z.array(z.object({ id: z.string(), fingerprint: z.string() })),
  /** What was left out on purpose. */
  skipped: z.array(z.object({ what: z.string(), because: z.string() })),
});

/** What a person approves with a batch: these proposals, as they are, in this order. */
export type BatchPayload = z.infer<typeof payloadSchema>;

/** The stored payload read back. */
export function readBatch({ payload }: Pick<StoredProposal, 'payload'>): BatchPayload {
  return payloadSchema.parse(parseStrictJson(payload));
}

export interface BatchContent {
  equally: string;
  members: readonly StoredProposal[];
  skipped: BatchPayload['skipped'];
}

/** The draft of a batch. It waits as long as the last of its members does. */
export function draftBatch({ equally, members, skipped }: BatchContent): Draft {
  const payload: BatchPayload = {
    equally,
    members: members.map(({ id, fingerprint }) => ({ id, fingerprint })),
    skipped: skipped.map(({ what, because }) => ({ what, because })),
  };
  return {
    operation: 'batch',
    targets: [...new Set(members.flatMap(({ targets }) => targets))],
    payload: canonicalJson(payload),
    base: '{}',
    rebase: null,
    account: null,
    endsAtMs: Math.max(...members.map(({ expiresAtMs }) => expiresAtMs)),
  };
}
