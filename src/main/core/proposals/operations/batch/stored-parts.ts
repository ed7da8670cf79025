import { z } from 'zod';
import { readStoredText } from '#core/platform/stored-text.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { sentenceSchema } from '#shared/app-api/index.ts';

const asOneSchema = z.discriminatedUnion('kind', [
  /** One change to one status, in as many parts as the service takes. */
  z.object({ kind: z.literal('status') }),
  /** The return to the statuses from before a pause of that moment. */
  z.object({ kind: z.literal('return'), pausedAtMs: z.number() }),
]);

const payloadSchema = z.object({
  equally: sentenceSchema,
  /** In the order in which they are listed and executed, each as the batch's own fingerprint covers it. */
  members: z.array(z.object({ id: z.string(), fingerprint: z.string() })),
  skipped: z.array(z.object({ what: sentenceSchema, because: sentenceSchema })),
  asOne: asOneSchema.exactOptional(),
});

/** Payload of a batch: these proposals, as they are, in this order. */
export type BatchPayload = z.infer<typeof payloadSchema>;

/** Campaigns, or fields of one, that were left out on purpose, and why. */
export type Skipped = BatchPayload['skipped'][number];

export function readBatch({ payload }: Pick<StoredProposal, 'payload'>): BatchPayload {
  return readStoredText(payloadSchema, payload);
}

export function memberIds(batch: Pick<StoredProposal, 'payload'>): string[] {
  return readBatch(batch).members.map(({ id }) => id);
}
