import { z } from 'zod';
import { readStoredText } from '#core/platform/stored-text.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { sentenceSchema } from '#shared/app-api/index.ts';

const asOneSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('status') }),
  z.object({ kind: z.literal('return'), pausedAtMs: z.number() }),
]);

const payloadSchema = z.object({
  equally: sentenceSchema,
  /** In the order of listing and execution. */
  members: z.array(z.object({ id: z.string(), fingerprint: z.string() })),
  skipped: z.array(z.object({ what: sentenceSchema, because: sentenceSchema })),
  asOne: asOneSchema.exactOptional(),
});

export type BatchPayload = z.infer<typeof payloadSchema>;

/** Campaigns or fields that were skipped on purpose. */
export type Skipped = BatchPayload['skipped'][number];

export function readBatch({ payload }: Pick<StoredProposal, 'payload'>): BatchPayload {
  return readStoredText(payloadSchema, payload);
}

export function memberIds(batch: Pick<StoredProposal, 'payload'>): string[] {
  return readBatch(batch).members.map(({ id }) => id);
}
