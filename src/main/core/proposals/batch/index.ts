import type { Journal } from '../lifecycle/journal.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import type { Operation, ProposalWords, Wording } from '../operations/operation.ts';
import { listedMembers } from './members.ts';
import { batchOutcome, type BatchPayload, isUnsettled, readBatch } from './payload.ts';
import { batchWords, type WordedMember } from './words.ts';

export interface BatchOperationOptions {
  store: AppStore;
  journal: Pick<Journal, 'move'>;
  wordsOf(member: StoredProposal): ProposalWords;
  /** Settles one member now, as far as a read can. */
  settleMember(id: string): Promise<StoredProposal>;
}

/** Several proposals under one decision, each with its own result. It sends nothing itself: see `createBatchDelivery`. */
export function createBatchOperation(options: BatchOperationOptions): Operation {
  const { store, journal, settleMember } = options;
  const wordsOf = rememberingWords(options.wordsOf);

  function worded({ members }: BatchPayload): WordedMember[] {
    return listedMembers(store, members).map((stored) => ({ stored, words: wordsOf(stored) }));
  }

  return {
    words(wording: Pick<Wording, 'payload'>) {
      const payload = readBatch(wording);
      return batchWords(payload, worded(payload));
    },
    reread: itself,
    send: itself,
    readBack: itself,
    async settle(batch) {
      const { members } = readBatch(batch);
      for (const { id } of listedMembers(store, members).filter(isUnsettled)) await settleMember(id);
      const now = listedMembers(store, members);
      if (now.some(isUnsettled)) return batch;
      return journal.move(batch, 'done', { set: { outcome: batchOutcome(now) } });
    },
  };
}

function itself(): never {
  throw new Error('A batch is carried out member by member');
}

/** So many members' words are kept: they never change, and a confirmation on screen asks for them again and again. */
const mostRemembered = 400;

function rememberingWords(wordsOf: (member: StoredProposal) => ProposalWords) {
  const remembered = new Map<string, ProposalWords>();
  return (member: StoredProposal): ProposalWords => {
    const known = remembered.get(member.id);
    if (known !== undefined) return known;
    if (remembered.size >= mostRemembered) remembered.clear();
    const words = wordsOf(member);
    remembered.set(member.id, words);
    return words;
  };
}

export { createBatching } from './batching.ts';
export { createBatchDelivery } from './delivery.ts';
export { createEmptiedBatches } from './members.ts';
export { createBatchMembers } from './members.ts';
export type { BatchMembers } from './members.ts';
export type { SeveralWrites } from './batching.ts';
