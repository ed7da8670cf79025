import type { MemberClient } from '#core/service-client/index.ts';
import type { ServiceMoment } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { PreparedWrite } from '../operation.ts';
import { prepareStatus, type StatusRequest } from '../status-change/prepare.ts';
import { prepareUpdate, type UpdateRequest } from '../update/prepare.ts';
import type { BatchPayload } from './payload.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { ownWords, sentence, type Sentence } from '#shared/lib/sentence.ts';

/** Writes that belong together: the resume after an emergency stop, a reversal. */
export interface SeveralWrites {
  /** The common change, in words. */
  equally: Sentence;
  updates: readonly UpdateRequest[];
  statuses: readonly StatusRequest[];
  /** Campaigns that were left out on purpose, listed in the proposal. */
  skipped: BatchPayload['skipped'];
  /** Set where all of them are changes of status, and read as one. */
  asOne?: BatchPayload['asOne'];
  /** The proposal whose effect they take back. */
  undoes?: PreparedWrite['undoes'];
  /** It is never refused because too much waits. */
  isUrgent?: boolean;
}

/** The drafts of several writes, and what their batch lists as left out. */
export interface PreparedWrites {
  drafts: PreparedWrite[];
  skipped: BatchPayload['skipped'];
}

/**
 * A draft of each write, changes of status first. A write that would change nothing any more keeps no other one from being
 * prepared: it is left out and listed. Fails as each of them would otherwise, and with `nothing_to_change` if all are left out.
 */
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
