import { concurrentReads, mapConcurrently } from '#core/platform/work-queues.ts';
import type { StoredProposal, AppStore } from '#core/store/app/index.ts';
import {
  type CampaignFacts,
  type ChangeView,
  type Exposure,
  moneyText,
  runs,
} from '#shared/campaign/index.ts';
import {
  changeOfCampaign,
  changedFacts,
  rowChange,
  statusInWords,
  type StatusTarget,
} from '#shared/wording/index.ts';
import { type CampaignRow, statusNames } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { toMicros } from '#shared/lib/decimal.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import {
  accountOfRows,
  assertSameAccount,
  againOf,
  rebaseOf,
  type CampaignBefore,
  type PreparedWrite,
  type Reread,
  type ReadBack,
  type ClientOf,
  type Operation,
  type ConnectionOf,
} from '../operation.ts';
import type { ReadsBefore, createReadsBefore } from '../campaigns-before.ts';
import {
  type ComparedField,
  comparedFields,
  comparedRow,
  statusParts,
  type StatusParts,
  storedExposure,
  isMeantForRunning,
  skippedVerdicts,
  sentPayload,
  sentTargets,
} from './stored-parts.ts';
import { findRows, lookForRows } from './find-list-rows.ts';
import { draftStatus, isPast, readWhole, returnPassed, type StatusPreparation } from './prepare.ts';
import type { Formats } from '#shared/lib/formats.ts';
import type { CampaignReader } from '#core/service-client/index.ts';
import { otherWriteTo } from '../locks.ts';

export interface StatusComparison extends StatusPreparation {
  before: ReadsBefore;
}

export function changedInRow(
  target: StatusTarget,
  now: StatusTarget['row'],
  isOne: boolean,
  formats: Formats,
): ChangeView[] {
  return comparedFields
    .filter((field) => target.row[field] !== now[field])
    .map((field) => ({
      ...rowChange(target, isOne, field),
      before: inWords(field, target.row[field], formats),
      after: inWords(field, now[field], formats),
    }));
}

function changedMoney(target: StatusTarget, now: Exposure, isOne: boolean, formats: Formats): ChangeView[] {
  const shown = target.exposure.after;
  if (canonicalJson(storedExposure(shown)) === canonicalJson(storedExposure(now))) return [];
  return moneyFields
    .map(({ field, label, words }) => ({
      ...changeOfCampaign(target, isOne, { field, label }),
      before: words(shown, formats),
      after: words(now, formats),
    }))
    .filter(({ before, after }) => before !== after);
}

function changedBeside(
  target: StatusTarget,
  now: CampaignFacts | undefined,
  isOne: boolean,
  formats: Formats,
): ChangeView[] {
  if (target.facts === undefined || now === undefined) return [];
  return changedFacts(target.facts, now, formats).map(({ fact, label, before, after }) => ({
    ...changeOfCampaign(target, isOne, { field: fact, label }),
    before,
    after,
  }));
}

const moneyFields: readonly {
  field: string;
  label: string;
  words(exposure: Exposure, formats: Formats): string;
}[] = [
  {
    field: 'perDay',
    label: 'Money at risk per day',
    words: ({ perDay }, formats: Formats) => moneyText(perDay, formats).text,
  },
  { field: 'startsOn', label: 'First day', words: ({ startsOn }) => startsOn ?? 'At once' },
  {
    field: 'untilEnd',
    label: 'Money at risk until the end',
    words: ({ untilEnd }, formats: Formats) => moneyText(untilEnd, formats).text,
  },
  { field: 'endsOn', label: 'Last day', words: ({ endsOn }) => endsOn ?? 'No end' },
];

function inWords(field: ComparedField, value: number, formats: Formats): string {
  return field === 'status' ? statusInWords(value) : formats.money(toMicros(value));
}

/**
 * Compares rows, and money and facts of campaigns that will run
 * (docs/decisions/0005). Fails with `account_changed`, or as the reads do.
 */
export async function rereadStatus(
  preparation: StatusComparison,
  proposal: StoredProposal,
  formats: Formats,
): Promise<Reread> {
  const parts = statusParts(proposal);
  const { status } = parts.payload;
  try {
    const rows = await findRows(preparation.client, proposal.targets);
    assertSameAccount(proposal, accountOfRows(rows));
    const { changed, read } = await changedSince(preparation, { parts, rows }, formats);
    if (changed.length === 0) {
      const unread = parts.payload.ids.filter((cid) => !read.some((one) => one.cid === cid));
      return { kind: 'unchanged', before: [...read, ...(await preparation.before.read(unread))] };
    }
    const rebase = rebaseOf(proposal, changed, []);
    return { kind: 'outdated', successor: await draftStatus(preparation, { rows, status, rebase }) };
  } catch (failure) {
    if (failure instanceof AppError && nothingLeft.includes(failure.code))
      return { kind: 'impossible', failure };
    throw failure;
  }
}

/**
 * Skips campaigns that stopped or are locked. `lockOn` returns the reason of a lock,
 * or null. Fails with `campaign_locked` if all campaigns that still run are locked.
 */
async function rereadRunning(
  { client, before }: StatusComparison,
  proposal: StoredProposal,
  lockOn: (cid: number) => string | null,
): Promise<Reread> {
  const parts = statusParts(proposal);
  const rows = await lookForRows(client, proposal.targets);
  assertSameAccount(proposal, accountOfRows([...rows.values()]));
  const running = parts.payload.ids.filter((cid) => runs(rows.get(cid)?.status));
  const locks = new Map(running.map((cid) => [cid, lockOn(cid)]));
  const sent = running.filter((cid) => locks.get(cid) === null);
  if (sent.length > 0) {
    const left = skipped(parts, (cid) =>
      runs(rows.get(cid)?.status) ? locks.get(cid) : statusNow(rows, cid),
    );
    return { kind: 'unchanged', left, before: before.known(sent) };
  }
  if (running.length > 0) throw new AppError('campaign_locked', { message: allLocked });
  const message = 'None of these campaigns runs any more. Nothing was sent.';
  return { kind: 'impossible', failure: new AppError('nothing_to_change', { message }) };
}

const allLocked = 'Each of these campaigns that runs has another change in progress. Nothing was sent.';

const nothingLeft: readonly AppError['code'][] = [
  'campaign_not_found',
  'validation_failed',
  'nothing_to_change',
];

async function changedSince(
  { client }: StatusPreparation,
  { parts: { targets, payload, countedAt }, rows }: { parts: StatusParts; rows: readonly CampaignRow[] },
  formats: Formats,
): Promise<{ changed: ChangeView[]; read: CampaignBefore[] }> {
  const read: CampaignBefore[] = [];
  const byCid = new Map(rows.map((row) => [row.cid, row]));
  const isOne = targets.length === 1;
  const changed = await mapConcurrently(targets, concurrentReads, async (target) => {
    const row = byCid.get(target.cid);
    if (row === undefined) throw new Error(`No row was read for campaign ${target.cid}`);
    const inRow = changedInRow(target, comparedRow(row), isOne, formats);
    // Other budgets mean other money at risk. A campaign that will not run risks no money.
    if (inRow.length > 0 || !runs(payload.status) || !payload.ids.includes(target.cid)) return inRow;
    const whole = await readWhole({ client, today: countedAt }, row, payload.status);
    read.push({ cid: target.cid, campaign: whole.read.edit.campaign });
    return [
      ...changedMoney(target, whole.exposure.after, isOne, formats),
      ...changedBeside(target, whole.facts, isOne, formats),
    ];
  });
  return { changed: changed.flat(), read };
}

async function statusAgain(
  preparation: StatusPreparation,
  proposal: StoredProposal,
  formats: Formats,
): Promise<PreparedWrite> {
  const { payload, targets, targeted, returns } = statusParts(proposal);
  const found =
    targeted === 'all'
      ? await findRows(preparation.client, proposal.targets)
      : [...(await lookForRows(preparation.client, proposal.targets)).values()];
  assertSameAccount(proposal, accountOfRows(found));
  const rows = targeted === 'all' ? found : found.filter(({ status }) => runs(status));
  const isOne = targets.length === 1;
  const moved = targets.flatMap((target) => {
    const row = found.find(({ cid }) => cid === target.cid);
    return row === undefined ? [] : changedInRow(target, comparedRow(row), isOne, formats);
  });
  const rebase = againOf(proposal, moved);
  return draftStatus(preparation, { rows, status: payload.status, targeted, returns, rebase });
}

function skipped(
  { targets, payload }: StatusParts,
  reasonOf: (cid: number) => string | null | undefined,
): StoredProposal['verdicts'] {
  const isOne = targets.length === 1;
  const ids = new Set(payload.ids);
  return targets.flatMap((target) => {
    const found = ids.has(target.cid) ? (reasonOf(target.cid) ?? null) : null;
    if (found === null) return [];
    const { field, label } = rowChange(target, isOne, 'status');
    return [{ field, label, verdict: 'left' as const, sent: statusNames[payload.status], found }];
  });
}

function statusNow(rows: ReadonlyMap<number, { status: number }>, cid: number): string {
  const now = rows.get(cid)?.status;
  return now === undefined ? 'Not in this account any more' : statusInWords(now);
}

export async function readBackStatus(client: CampaignReader, proposal: StoredProposal): Promise<ReadBack> {
  const parts = statusParts(proposal);
  const sent = sentTargets(proposal);
  const rows = await lookForRows(
    client,
    sent.map(({ cid }) => cid),
  );
  const { status } = parts.payload;
  const isOne = parts.targets.length === 1;
  const verdicts = sent.map((target): ReadBack['verdicts'][number] => {
    const { field, label } = rowChange(target, isOne, 'status');
    const now = rows.get(target.cid)?.status;
    const verdict = now === undefined ? 'unknown' : now === status ? 'stored' : 'different';
    const found = now === undefined ? '' : statusInWords(now);
    return { field, label, verdict, sent: statusNames[status], found };
  });
  const isAsSent = verdicts.every(({ verdict }) => verdict === 'stored');
  const isBase = sent.every(({ cid, row }) => rows.get(cid)?.status === row.status);
  return {
    isAsSent,
    evidence: isAsSent ? 'payload' : isBase ? 'base' : 'other',
    verdicts: [...verdicts, ...skippedVerdicts(proposal)],
  };
}

interface StatusOperationOptions {
  store: AppStore;
  connectionOf: ConnectionOf;
  readsBefore: ReturnType<typeof createReadsBefore>;
  serviceNowMs(): number;
  formats(): Formats;
}

/** The change of status of one or many campaigns (contract §4.1, PUT /login/campaigns/update-status). */
export function createStatusOperation({
  store,
  connectionOf,
  readsBefore,
  serviceNowMs,
  formats,
}: StatusOperationOptions): Operation {
  const clientOf: ClientOf = (proposal) => connectionOf(proposal).member;
  const comparison = (proposal: StoredProposal): StatusComparison => {
    const connection = connectionOf(proposal);
    const { member: client } = connection;
    return { client, today: connection.today(), before: readsBefore(proposal, client) };
  };
  const isReturnPast = (proposal: StoredProposal): boolean =>
    isPast(statusParts(proposal).returns, serviceNowMs());
  return {
    async reread(proposal) {
      if (!isMeantForRunning(proposal)) return rereadStatus(comparison(proposal), proposal, formats());
      if (isReturnPast(proposal)) return { kind: 'impossible', failure: returnPassed() };
      const lockOn = (cid: number): string | null => otherWriteTo(store, proposal, cid);
      return rereadRunning(comparison(proposal), proposal, lockOn);
    },
    async send(proposal) {
      await clientOf(proposal).updateStatus(sentPayload(proposal));
      return null;
    },
    readBack: (proposal) => readBackStatus(clientOf(proposal), proposal),
    async prepareAgain(proposal) {
      if (isReturnPast(proposal)) throw returnPassed();
      return statusAgain(comparison(proposal), proposal, formats());
    },
  };
}
