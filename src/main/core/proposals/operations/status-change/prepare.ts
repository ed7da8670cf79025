import { concurrentReads, mapConcurrently } from '#core/platform/work-queues.ts';
import type { CampaignRead, CampaignReader } from '#core/service-client/index.ts';
import {
  type CampaignFacts,
  type Exposure,
  exposureOf,
  exposureOfRow,
  factsOf,
  memberStatusError,
  runs,
  type ServiceMoment,
} from '#shared/campaign/index.ts';
import { statusNames, type CampaignRow, type StatusCode } from '#shared/contract/index.ts';
import { AppError, type FieldError } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { accountOfRows, type PreparedWrite, type FullRead, unlimitedMs } from '../operation.ts';
import { baseText, comparedRow, type PauseReturn, type StatusParts } from './stored-parts.ts';
import { findRows, lookForRows } from './find-list-rows.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';
import type { TargetedCampaigns, StatusTarget } from '#shared/wording/index.ts';

export interface StatusRequest {
  cids: readonly number[];
  status: StatusCode;
  /** `running`: skips campaigns that stop by themselves, so that they do not keep the others from changing. */
  targeted?: TargetedCampaigns;
  /** For a pause: its campaigns return at that time. */
  returns?: PauseReturn | null;
  rows?: readonly CampaignRow[];
  countedFrom?: StatusParts['countedFrom'];
  isUrgent?: boolean;
  neverExpires?: boolean;
}

export interface StatusPreparation {
  client: CampaignReader;
  today: ServiceMoment;
}

/** Fails with `campaign_not_found`, with `nothing_to_change`, or with `validation_failed` for a move that a member may not make. */
export async function prepareStatus(
  preparation: StatusPreparation,
  request: StatusRequest,
): Promise<PreparedWrite> {
  const {
    status,
    targeted = 'all',
    returns = null,
    countedFrom = 'campaigns',
    neverExpires = false,
  } = request;
  const rows = request.rows ?? (await readRows(preparation.client, request));
  const draft = await draftStatus(preparation, {
    rows,
    status,
    targeted,
    returns,
    countedFrom,
    rebase: null,
  });
  return neverExpires ? { ...draft, lifetimeMs: unlimitedMs } : draft;
}

export function isPast(returns: PauseReturn | null | undefined, nowMs: number): boolean {
  return returns !== null && returns !== undefined && returns.atMs <= nowMs;
}

export const returnPassed = (): AppError => new AppError('return_time_passed');

export const maxPerWrite = 1000;

export function inParts<Campaign>(campaigns: readonly Campaign[]): Campaign[][] {
  const parts: Campaign[][] = [];
  for (let start = 0; start < campaigns.length; start += maxPerWrite) {
    parts.push(campaigns.slice(start, start + maxPerWrite));
  }
  return parts;
}

/** Fails with `campaign_not_found` for a missing campaign, unless only running campaigns are targeted. */
export async function readRows(
  client: CampaignReader,
  { cids, targeted = 'all' }: StatusRequest,
): Promise<readonly CampaignRow[]> {
  const asked = [...new Set(cids)];
  if (targeted === 'all') return findRows(client, asked);
  return [...(await lookForRows(client, asked)).values()].filter((row) => runs(row.status));
}

interface StatusOnRows {
  rows: readonly CampaignRow[];
  status: StatusCode;
  targeted?: TargetedCampaigns;
  returns?: PauseReturn | null;
  countedFrom?: StatusParts['countedFrom'];
  rebase: PreparedWrite['rebase'];
}

export async function draftStatus(
  { client, today }: StatusPreparation,
  { rows, status, targeted = 'all', returns = null, countedFrom = 'campaigns', rebase }: StatusOnRows,
): Promise<PreparedWrite> {
  const ids = rows.filter((row) => row.status !== status).map(({ cid }) => cid);
  if (ids.length === 0) {
    throw new AppError('nothing_to_change', {
      message:
        targeted === 'running'
          ? 'No longer running. Nothing would change.'
          : `Already ${statusNames[status]}. Nothing would change.`,
    });
  }
  assertAllowed(rows, status);
  const readBy = targeted === 'running' ? readsUntilFailure() : (read: ReadsWhole) => read();
  const reads: FullRead[] = [];
  async function readTarget(row: CampaignRow): Promise<StatusTarget> {
    const { read, ...whole } = await readBy(() => readWhole({ client, today }, row, status));
    if (read !== undefined) reads.push({ cid: row.cid, body: JSON.stringify(read.raw) });
    return targetOf(row, whole);
  }
  const targets =
    countedFrom === 'list'
      ? rows.map((row) => targetOf(row, listedRisk(row, status)))
      : await mapConcurrently(rows, concurrentReads, readTarget);
  return {
    operation: 'campaign.status',
    targets: targets.map(({ cid }) => cid),
    payload: canonicalJson({ ids, status }),
    base: baseText({ targets, countedAt: today, targeted, returns, countedFrom }),
    rebase,
    account: accountOfRows(rows),
    endsAtMs: null,
    reads,
  };
}

function targetOf(row: CampaignRow, whole: Omit<WholeRead, 'read'>): StatusTarget {
  const { cid, name } = row;
  return { cid, name, row: comparedRow(row), ...whole };
}

const listedRisk = (row: CampaignRow, status: StatusCode): Pick<WholeRead, 'exposure'> => ({
  exposure: { before: exposureOfRow(row), after: exposureOfRow({ ...row, status }) },
});

type ReadsWhole = () => Promise<WholeRead>;

/** Counts an unreadable campaign as unlimited, so that it does not block the others. Reads no more after the first failure. */
function readsUntilFailure(): (read: ReadsWhole) => Promise<WholeRead> {
  let isAway = false;
  return async (read) => {
    if (isAway) return unread;
    try {
      return await read();
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      isAway = true;
      return unread;
    }
  };
}

const unlimited = { kind: 'unlimited' } as const;
const none = { kind: 'amount', micros: 0n } as const;
const unread: WholeRead = {
  exposure: {
    before: { perDay: unlimited, startsOn: null, untilEnd: unlimited, endsOn: null },
    after: { perDay: none, startsOn: null, untilEnd: none, endsOn: null },
  },
};

function assertAllowed(rows: readonly CampaignRow[], status: StatusCode): void {
  const fields = rows.flatMap((row): FieldError[] => {
    const failure = memberStatusError(row.status, status);
    return failure === null
      ? []
      : [{ ...failure, message: sentence`${row.name} (${row.cid}): ${ownWords(failure.message)}` }];
  });
  if (fields.length > 0) throw new AppError('validation_failed', { fields });
}

interface WholeRead {
  exposure: { before: Exposure; after: Exposure };
  facts?: CampaignFacts;
  read?: CampaignRead;
}

/** Reads the complete campaign, because its row has neither flight nor hours. */
export async function readWhole(
  { client, today }: StatusPreparation,
  row: CampaignRow,
  status: StatusCode,
): Promise<WholeRead & { read: CampaignRead }> {
  const read = await client.get(row.cid);
  const { campaign, campaign_types: types } = read.edit;
  return {
    read,
    exposure: {
      before: exposureOf({ ...campaign, status: row.status }, today),
      after: exposureOf({ ...campaign, status }, today),
    },
    facts: factsOf(campaign, { types }),
  };
}
