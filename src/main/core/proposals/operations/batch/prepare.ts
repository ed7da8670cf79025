import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import type { ProposalState } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { type Outcome, outcomeWith } from '../outcome.ts';
import { isInDelivery } from '#shared/proposals/states.ts';
import { membersOf, type BatchPayload, type Skipped } from '../stored-proposals.ts';
import type { PreparedWrite, Operation } from '../operation.ts';
import type { Connection } from '#core/connections/index.ts';
import type { MemberClient } from '#core/service-client/index.ts';
import type { ServiceMoment } from '#shared/campaign/index.ts';
import { prepareStatus, type StatusRequest } from '../status-change/prepare.ts';
import { prepareUpdate, type UpdateRequest } from '../update.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { joinSentences, ownWords, sentence, type Sentence } from '#shared/lib/sentence.ts';

interface BatchContent {
  equally: Sentence;
  members: readonly StoredProposal[];
  skipped: Skipped[];
  asOne?: BatchPayload['asOne'];
  undoes?: PreparedWrite['undoes'];
}

export function draftBatch({ equally, members, skipped, asOne, undoes = null }: BatchContent): PreparedWrite {
  const payload: BatchPayload = {
    equally,
    members: members.map(({ id, fingerprint }) => ({ id, fingerprint })),
    skipped: skipped.map(({ what, because }) => ({ what, because })),
    ...(asOne && { asOne }),
  };
  return {
    operation: 'batch',
    targets: [...new Set(members.flatMap(({ targets }) => targets))],
    payload: canonicalJson(payload),
    base: '{}',
    rebase: null,
    undoes,
    account: null,
    endsAtMs: Math.max(...members.map(({ expiresAtMs }) => expiresAtMs)),
    lifetimeMs: Infinity,
  };
}

const counted: Readonly<Record<ProposalState, string>> = {
  verified: 'stored',
  done: 'done',
  differs: 'stored differently',
  refused: 'not stored',
  stale: 'out of date',
  unknown: 'unknown',
  denied: 'denied',
  expired: 'expired',
  withdrawn: 'withdrawn',
  proposed: 'still waiting',
  shown: 'still waiting',
  approved: 'under way',
  intent: 'under way',
  sent: 'under way',
};

export function isUnsettled({ state }: Pick<StoredProposal, 'state'>): boolean {
  return isInDelivery(state) || state === 'unknown';
}

/** `47 stored, 2 out of date, 1 not stored.` */
export function batchOutcome(members: readonly Pick<StoredProposal, 'state' | 'replacedBy'>[]): Outcome {
  const words = members.map(({ state }) => counted[state]);
  const parts = [...new Set(Object.values(counted))].flatMap((word) => {
    const count = words.filter((one) => one === word).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  const again = members.some(({ replacedBy }) => replacedBy !== null)
    ? [sentence`What is out of date is asked again alone.`]
    : [];
  const code = members.some(isUnsettled) ? 'batch_unsettled' : 'batch_done';
  return outcomeWith(code, joinSentences([sentence`${ownWords(parts.join(', '))}.`, ...again]));
}

export interface SeveralWrites {
  equally: Sentence;
  updates: readonly UpdateRequest[];
  statuses: readonly StatusRequest[];
  skipped: Skipped[];
  asOne?: BatchPayload['asOne'];
  undoes?: PreparedWrite['undoes'];
  isUrgent?: boolean;
}

export interface UndoRequest extends SeveralWrites {
  undoes: NonNullable<StoredProposal['undoes']>;
  connection: Connection;
  schedule?: string;
}

interface PreparedWrites {
  drafts: PreparedWrite[];
  skipped: Skipped[];
}

/** Puts changes of status first. Skips and lists writes that change nothing. Fails with `nothing_to_change` if all are skipped. */
export async function prepareSeveral(
  { client, today }: { client: MemberClient; today: ServiceMoment },
  { updates, statuses, skipped }: Pick<SeveralWrites, 'updates' | 'statuses' | 'skipped'>,
  formats: Formats,
): Promise<PreparedWrites> {
  const prepared: PreparedWrites = { drafts: [], skipped: [...skipped] };
  async function add(cids: readonly number[], preparing: Promise<PreparedWrite>): Promise<void> {
    try {
      prepared.drafts.push(await preparing);
    } catch (failure) {
      if (!(failure instanceof AppError) || failure.code !== 'nothing_to_change') throw failure;
      prepared.skipped.push({ what: namedOrCounted(cids, formats), because: failure.message });
    }
  }
  for (const status of statuses) await add(status.cids, prepareStatus({ client, today }, status));
  for (const update of updates) await add([update.cid], prepareUpdate(client, update, formats));
  if (prepared.drafts.length === 0) throw new AppError('nothing_to_change');
  return prepared;
}

const namedOrCounted = (cids: readonly number[], formats: Formats): Sentence =>
  cids.length === 1
    ? sentence`Campaign ${cids[0] ?? 0}`
    : sentence`${ownWords(formats.counted(cids.length, 'campaign'))}`;

interface BatchOptions {
  store: AppStore;
  endBatch(batch: StoredProposal, outcome: Outcome): StoredProposal;
}

/** Several proposals under one decision. `Delivery.deliverBatch` sends them. */
export function createBatchOperation({ store, endBatch }: BatchOptions): Operation {
  return {
    reread: itself,
    send: itself,
    readBack: itself,
    async settle(batch, settleMember) {
      for (const { id } of membersOf(store, batch).filter(isUnsettled)) await settleMember(id);
      const now = membersOf(store, batch);
      if (now.some(isUnsettled)) return batch;
      return endBatch(batch, batchOutcome(now));
    },
  };
}

function itself(): never {
  throw new Error('A batch is sent member by member');
}
