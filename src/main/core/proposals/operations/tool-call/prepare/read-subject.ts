import type { CampaignRead, CampaignReader } from '#core/service-client/index.ts';
import { AppError, parseStrictJson } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { accountOf } from '../../same-account.ts';
import type { PreparedWrite } from '../../operation.ts';
import { draftStatus, type StatusPreparation } from '../../status-change/prepare.ts';
import { findRows } from '../../status-change/find-list-rows.ts';
import { draftUpdate } from '../../update/prepare.ts';
import type { Subject } from '../stored-call.ts';
import {
  type Call,
  campaignIn,
  cidsIn,
  commitTool,
  type StatusMove,
  statusMoveIn,
} from '../call-arguments.ts';
import type { Formats } from '#shared/lib/formats.ts';

/** The known effect of a call, and the campaigns that it names. */
export interface KnownSubject extends Pick<PreparedWrite, 'targets' | 'account' | 'reads'> {
  subject: Subject;
}

/** Failures that say: what these arguments would do is no change that a service takes. */
const noChange: readonly AppError['code'][] = [
  'campaign_not_found',
  'validation_failed',
  'nothing_to_change',
];

/**
 * Reads what the call is about. A commit by its contract writes exactly its payload, whatever stands beside it, so a payload that cannot
 * be written fails as a change of the app's own would; of any other tool that is only a guess, and then less is known. Fails as the
 * reads do.
 */
export async function readSubject(
  preparation: StatusPreparation,
  call: Call,
  formats: Formats,
): Promise<KnownSubject> {
  const cids = cidsIn(call.args);
  const isCommit = call.name === commitTool;
  const move = statusMoveIn(call);
  if (move !== null && (isCommit || cids.every((cid) => move.cids.includes(cid)))) {
    const status = await unlessGuess(isCommit, () => statusKnown(preparation, move));
    return status ?? onlyArguments(move.cids);
  }
  const campaign = campaignIn(call);
  const [cid, ...others] = isCommit && campaign !== null ? [Number(campaign['cid'])] : cids;
  if (cid === undefined || others.length > 0) return onlyArguments(cids);
  const read = await readOrNull(preparation.client, cid);
  if (read === null) {
    if (isCommit && campaign !== null) throw new AppError('campaign_not_found');
    return onlyArguments(cids);
  }
  const update =
    campaign !== null && isComplete(campaign, read)
      ? await unlessGuess(isCommit, () => updateKnown(cid, { read, campaign }, formats))
      : null;
  if (update !== null) return update;
  return cids.length > 1 ? onlyArguments(cids) : campaignKnown(cid, read);
}

function onlyArguments(targets: number[]): KnownSubject {
  return { subject: { kind: 'arguments' }, targets, account: null };
}

async function statusKnown(
  preparation: StatusPreparation,
  { cids, status }: StatusMove,
): Promise<KnownSubject> {
  const rows = await findRows(preparation.client, cids);
  const draft = await draftStatus(preparation, { rows, status, rebase: null });
  const { targets, account, reads } = draft;
  return {
    subject: { kind: 'status', read: objectIn(draft.base) },
    targets,
    account,
    ...(reads && { reads }),
  };
}

async function updateKnown(
  cid: number,
  { read, campaign }: { read: CampaignRead; campaign: JsonObject },
  formats: Formats,
): Promise<KnownSubject> {
  const { targets, account } = draftUpdate(cid, { read, payload: campaign, rebase: null }, formats);
  return { subject: { kind: 'update', read: read.raw }, targets, account };
}

function campaignKnown(cid: number, { raw, edit }: CampaignRead): KnownSubject {
  const account = accountOf(edit.campaign['uid']);
  return { subject: { kind: 'campaign', read: raw }, targets: [cid], account };
}

async function unlessGuess(
  isCommit: boolean,
  know: () => Promise<KnownSubject>,
): Promise<KnownSubject | null> {
  try {
    return await know();
  } catch (failure) {
    if (isCommit || !(failure instanceof AppError) || !noChange.includes(failure.code)) throw failure;
    return null;
  }
}

async function readOrNull(reader: CampaignReader, cid: number): Promise<CampaignRead | null> {
  try {
    return await reader.get(cid);
  } catch (failure) {
    if (failure instanceof AppError && failure.code === 'campaign_not_found') return null;
    throw failure;
  }
}

/** Every field of the campaign is there: what is missing would be left to the tool. */
function isComplete(campaign: JsonObject, { edit }: CampaignRead): boolean {
  return Object.keys(edit.campaign).every((field) => Object.hasOwn(campaign, field));
}

function objectIn(text: string): JsonObject {
  const value = parseStrictJson(text);
  if (!isJsonObject(value)) throw new Error('A base is an object');
  return value;
}
