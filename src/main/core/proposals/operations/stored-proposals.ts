import { z } from 'zod';
import { readStoredText } from '#core/platform/stored-text.ts';
import type { AppStore, ListedProposal, StoredProposal } from '#core/store/app/index.ts';
import { sentenceSchema } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';

interface ListedStore {
  proposals: Pick<AppStore['proposals'], 'findListed'>;
}

export function loadProposal(store: AppStore, id: string): StoredProposal {
  const proposal = store.proposals.find(id);
  if (proposal === null) throw new AppError('proposal_not_found');
  return proposal;
}

/** The members of a batch in the order of its list; empty for any other proposal. Fails with `proposal_not_found`. */
export function membersOf(
  store: AppStore,
  batch: Pick<StoredProposal, 'operation' | 'payload'>,
): StoredProposal[] {
  return memberIds(batch).map((id) => loadProposal(store, id));
}

/** The members without their details, because a batch may have a hundred thousand campaigns. Skips members that are gone. */
export function listedMembersOf(
  { proposals }: ListedStore,
  batch: Pick<StoredProposal, 'operation' | 'payload'>,
): ListedProposal[] {
  return memberIds(batch).flatMap((id) => proposals.findListed(id) ?? []);
}

/** The proposal, its successor, and so on. Fails with `rows_contradict` if the stored links form a cycle. */
export function* successorsOf({ proposals }: ListedStore, id: string): Generator<ListedProposal> {
  const met = new Set<string>();
  for (let next: string | null = id; next !== null;) {
    if (met.has(next)) throw new AppError('rows_contradict', { data: { proposal: next } });
    met.add(next);
    const found: ListedProposal | null = proposals.findListed(next);
    if (found === null) return;
    yield found;
    next = found.replacedBy;
  }
}

export function latestId(store: ListedStore, id: string): string {
  let latest = id;
  for (const { id: own, replacedBy } of successorsOf(store, id)) latest = replacedBy ?? own;
  return latest;
}

/** The undo mark of a proposal. A member that is proposed again alone inherits the mark from its batch. */
export function undoesOf({ proposals }: AppStore, { id, undoes }: StoredProposal): StoredProposal['undoes'] {
  const batchId = undoes === null ? proposals.undoBatchOf(id) : null;
  return batchId === null ? undoes : (proposals.find(batchId)?.undoes ?? null);
}

const asOneSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('status') }),
  z.object({ kind: z.literal('return'), pausedAtMs: z.number() }),
]);

const payloadSchema = z.object({
  equally: sentenceSchema,
  members: z.array(z.object({ id: z.string(), fingerprint: z.string() })),
  skipped: z.array(z.object({ what: sentenceSchema, because: sentenceSchema })),
  asOne: asOneSchema.exactOptional(),
});

export type BatchPayload = z.infer<typeof payloadSchema>;

export type Skipped = BatchPayload['skipped'][number];

export function readBatch({ payload }: Pick<StoredProposal, 'payload'>): BatchPayload {
  return readStoredText(payloadSchema, payload);
}

export function memberIds({ operation, payload }: Pick<StoredProposal, 'operation' | 'payload'>): string[] {
  return operation === 'batch' ? readBatch({ payload }).members.map(({ id }) => id) : [];
}
