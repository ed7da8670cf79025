import type { CampaignRead } from '#core/service-client/index.ts';
import type { Comparison, AppStore } from '#core/store/app/index.ts';
import { diffCampaigns } from '#shared/campaign/index.ts';
import { campaignEditSchema } from '#shared/contract/index.ts';
import { AppError, parseStrictJson } from '#shared/errors/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { quotedStart } from '#shared/lib/inert-text.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { joinSentences, ownWords, sentence } from '#shared/lib/sentence.ts';
import { type PreparedWrite, accountOf, type FullRead } from '../operation.ts';
import { findRows } from '../status-change/find-list-rows.ts';
import { type StatusPreparation, draftStatus } from '../status-change/prepare.ts';
import { mayBeVolatile, draftUpdate, readUnlessGone } from '../update.ts';
import {
  commitTool,
  type Call,
  campaignIn,
  cidsIn,
  type StatusMove,
  statusMoveIn,
} from './call-arguments.ts';
import { pictureIn } from './picture-argument.ts';
import {
  baseText,
  payloadText,
  type ToolCallBase,
  type TaskOfCall,
  type UploadFor,
  type UploadOfCall,
  usableUntilMs,
  type Subject,
} from './stored-parts.ts';

export interface CallingAgent {
  id: string;
  name: string;
  sinceMs: number;
  profileId: string;
}

export interface ToolCallRequest {
  agent: CallingAgent;
  sessionId: string;
  tool: { name: string; title: string | null; definitionHash: string };
  args: JsonObject;
  undeclared: readonly string[];
  quotation: string | null;
  prepared: {
    payload: JsonValue;
    /** The fields that change, or null if the service did not list them. */
    changes: readonly string[] | null;
    endsAtMs: number;
    call?: Preparation | null;
  } | null;
}

export interface Preparation {
  tool: string;
  args: JsonObject;
}

const maxCharacters = 500_000;
const perMember = 50;
const perPicture = 25_000;

/** Fails with `arguments_invalid` for more than a person can read: it would be approved blindly, and block the app for seconds. */
export function assertReadable(args: JsonObject): void {
  let left = maxCharacters;
  const spend = (value: JsonValue): void => {
    if (typeof value === 'string') left -= costOf(value);
    else left -= 4;
    if (left < 0) throw new AppError('arguments_invalid', { message: tooMuch });
    if (Array.isArray(value)) value.forEach(spend);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        left -= perMember + key.length;
        spend(member);
      }
    }
  };
  spend(args);
}

function costOf(text: string): number {
  return text.length > perPicture && pictureIn(text) !== null ? perPicture : text.length;
}

const tooMuch = joinSentences([
  sentence`The arguments are more than a person can look through before deciding. Make several smaller calls of it.`,
  sentence`Of files only pictures are shown as such: a still PNG, JPEG, GIF or WebP of up to 4 MiB without texts in it.`,
]);

/** The agent's own `confirmed` is not evidence. In a commit it is set here, and becomes true only when a person approves. */
export function sentArguments({
  tool,
  args,
}: Pick<ToolCallRequest, 'args'> & { tool: { name: string } }): JsonObject {
  return tool.name === commitTool ? { ...args, confirmed: true } : args;
}

/** Fails with the codes of strict JSON, naming the path. */
export function assertExact(args: JsonObject): void {
  parseStrictJson(JSON.stringify(args));
}

interface Preparing {
  request: Pick<ToolCallRequest, 'tool' | 'undeclared' | 'prepared'>;
  task?: TaskOfCall | null;
  upload?: UploadOfCall | undefined;
  uploadFor?: UploadFor | undefined;
  args: JsonObject;
  nowMs: number;
  comparisonsOf(cid: number): Comparison[];
}

/** Fails with `prepared_differs` for another payload, `approval_invalid` if the approval ends too soon, or as {@link readSubject}. */
export async function prepareToolCall(
  preparation: StatusPreparation,
  { request, args, nowMs, comparisonsOf, task = null, upload, uploadFor }: Preparing,
  formats: Formats,
): Promise<PreparedWrite> {
  const { tool, prepared } = request;
  const usableUntil = prepared === null ? null : usableUntilMs(prepared.endsAtMs);
  if (prepared !== null) assertPrepared(args, prepared);
  if (usableUntil !== null && usableUntil <= nowMs) {
    const message = 'The approval of the service ends before a person could decide.';
    throw new AppError('approval_invalid', { message });
  }
  const { subject, ...known } = await readSubject(preparation, { name: tool.name, args }, formats);
  const { name, title, definitionHash } = tool;
  const asked = { name, args, subject, changes: prepared?.changes ?? null };
  return {
    operation: 'tool.call',
    ...known,
    payload: payloadText(name, args),
    base: baseText({
      tool: { name, title, definitionHash },
      approvalEndsAtMs: prepared?.endsAtMs ?? null,
      preparation: preparationOf(prepared),
      preparedDifferently: [],
      subject,
      undeclared: [...request.undeclared],
      notCompared: notCompared(asked, known.targets[0] === undefined ? [] : comparisonsOf(known.targets[0])),
      task,
      upload,
      uploadFor,
    }),
    rebase: null,
    // The app's own commits expire with the service's approval.
    endsAtMs: task === null && upload === undefined ? null : usableUntil,
  };
}

const maxPreparation = 200_000;

function preparationOf(prepared: ToolCallRequest['prepared']): ToolCallBase['preparation'] {
  const call = prepared?.call ?? null;
  return call !== null && JSON.stringify(call.args).length <= maxPreparation ? { ...call } : null;
}

function assertPrepared(args: JsonObject, { payload }: NonNullable<ToolCallRequest['prepared']>): void {
  const given = args['payload'];
  if (given === undefined) throw new AppError('prepared_differs', { message: 'There is no payload.' });
  if (canonicalJson(given) === canonicalJson(payload)) return;
  if (!isJsonObject(given) || !isJsonObject(payload)) throw new AppError('prepared_differs');
  const names = diffCampaigns(payload, given).map(({ field }) => quotedStart(field, maxNameLength));
  const named = names.slice(0, maxNamed).join(', ');
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  throw new AppError('prepared_differs', {
    message: sentence`The payload is not the one that was prepared: ${ownWords(named + more)} ${ownWords(names.length === 1 ? 'differs' : 'differ')}.`,
  });
}

const maxNamed = 10;
const maxNameLength = 60;

interface KnownSubject {
  subject: Subject;
  targets: number[];
  account: string | null;
  reads?: readonly FullRead[];
}

/** Codes which mean that a service would not accept the arguments as a change. */
const noChange: readonly AppError['code'][] = [
  'campaign_not_found',
  'validation_failed',
  'nothing_to_change',
];

/** A commit writes exactly its payload, so an invalid payload fails. For any other tool, the payload is a guess. */
async function readSubject(
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
  const read = await readUnlessGone(preparation.client, cid);
  if (read instanceof AppError) {
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

function isComplete(campaign: JsonObject, { edit }: CampaignRead): boolean {
  return Object.keys(edit.campaign).every((field) => Object.hasOwn(campaign, field));
}

function objectIn(text: string): JsonObject {
  const value = parseStrictJson(text);
  if (!isJsonObject(value)) throw new Error('A base is an object');
  return value;
}

export const rememberedMs = 24 * 60 * 60 * 1_000;

export function createComparisonsOf(
  { proposals }: Pick<AppStore, 'proposals'>,
  profileId: string,
  nowMs: number,
): (cid: number) => Comparison[] {
  return (cid) => proposals.comparisonsOf({ profileId, cid, afterMs: nowMs - rememberedMs });
}

export interface AskedCall {
  name: string;
  args: JsonObject;
  subject: Subject;
  changes: readonly string[] | null;
}

/** Volatile fields that the comparison before sending skips. Fields that the call changes, or may change, are always compared. */
export function notCompared(asked: AskedCall, comparisons: readonly Comparison[]): string[] {
  const { subject } = asked;
  if (subject.kind !== 'update' && subject.kind !== 'campaign') return [];
  const moving = movingByThemselves(comparisons);
  if (moving.size === 0) return [];
  const { campaign } = campaignEditSchema.parse(subject.read);
  const after = wantedBy(asked, campaign);
  return Object.keys(campaign).filter((field) => moving.has(field) && !after.has(field));
}

/**
 * Fields that were volatile before, and fields whose change alone made two successive calls outdated. A write between the two
 * calls excludes a field, because the field was then stable once.
 */
function movingByThemselves(comparisons: readonly Comparison[]): Set<string> {
  const moving = new Set(comparisons.flatMap(({ volatile }) => volatile).filter(mayBeVolatile));
  for (const [at, { isCall, moved }] of comparisons.entries()) {
    const before = comparisons[at + 1];
    if (!isCall || before?.isCall !== true) continue;
    if (![...moved, ...before.moved].every(mayBeVolatile)) continue;
    for (const field of moved) if (before.moved.includes(field)) moving.add(field);
  }
  return moving;
}

function wantedBy({ name, args, subject, changes }: AskedCall, campaign: JsonObject): Set<string> {
  if (name !== commitTool || subject.kind !== 'update') return namesIn(args);
  // A payload contains every field as prepared. A field that has changed since was not requested.
  return new Set(
    changes ?? diffCampaigns(campaign, campaignIn({ name, args }) ?? {}).map(({ field }) => field),
  );
}

/** Collects texts as well as keys, because `{field: 'title'}` names a field just as `{title: …}` does. */
function namesIn(args: JsonObject): Set<string> {
  const names = new Set<string>();
  const look = (value: JsonValue): void => {
    if (typeof value === 'string') names.add(value);
    else if (Array.isArray(value)) value.forEach(look);
    else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        names.add(key);
        look(member);
      }
    }
  };
  look(args);
  return names;
}
