import { z } from 'zod';
import { diffCampaigns, exposureOf, parseCountryCode, serviceDay } from '#shared/campaign/index.ts';
import {
  campaignSchema,
  isStatusCode,
  statusCodes,
  statusNames,
  type StatusCode,
} from '#shared/contract/index.ts';
import { AppError, type FieldError } from '#shared/errors/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';
import {
  validateStatusUpdate,
  storeStatus,
  validateUpdate,
  storeUpdate,
  loadOwned,
} from '../member/campaign-rules.ts';
import { argumentsInvalid, jsonSchemaOf } from '#core/mcp-server/index.ts';
import type { RemotePrincipal } from '../remote-call/tool.ts';
import type { BackendService } from '../service.ts';
import { asStored } from '../uploads/picture-address.ts';
import {
  type PreparedWrite,
  type PrepareTool,
  type WriteKind,
  type Verification,
  revisionOf,
  balanceWarnings,
  flightWarnings,
  budgetWarnings,
} from './write-kind.ts';
import { assessUpdate, assessStatus, pendingWarnings } from '#shared/wording/index.ts';

export function campaignWrites(service: BackendService): readonly WriteKind[] {
  return [campaignUpdate(service), campaignStatus(service)];
}

/** JSON Schema of the fields that a change may contain. It only informs clients: validation applies the rules of type and settings. */
const { properties: changeable } = jsonSchemaOf(campaignSchema.omit({ cid: true, uid: true }), 'input');

const updateInput = z.strictObject({
  cid: z.int().positive().describe('The campaign id, for example 104201.'),
  changes: z.record(z.string(), z.unknown()).meta({
    description:
      'Only the fields that change, each with its whole new value. Fields that are not named here, such as publisher_blocklist, are those of svc_get_campaign.',
    properties: changeable,
  }),
});

const updateTool: PrepareTool = {
  name: 'svc_prepare_campaign_update',
  title: 'Prepare a campaign update',
  description: [
    'Lays the changes over the complete current campaign and validates the result as the service will.',
    'A targeting flag of 1 means all values and empties its list; a budget of 0 means unlimited.',
  ].join(' '),
  input: updateInput,
  payload: z.looseObject({ cid: z.int() }).describe('The complete campaign as it would be stored.'),
};

/** Follows the rules of PUT /login/campaigns/{cid} (contract §4.1). */
function campaignUpdate(service: BackendService): WriteKind {
  const { store } = service;
  return {
    name: 'campaign_update',
    tool: updateTool,
    scopes: [],
    modules: ['campaigns'],
    prepare: (principal, args) => prepareUpdate(service, principal, updateInput.parse(args)),
    revision: ({ member }, payload) => revisionOf(store.read, member.uid, [cidOf(payload)]),
    apply: ({ member }, payload) =>
      storeUpdate(service, { uid: member.uid, cid: cidOf(payload), sent: payload }),
    verify: ({ member }, payload) => verifyUpdate(store.read.payload(member.uid, cidOf(payload)), payload),
  };
}

function prepareUpdate(
  service: BackendService,
  { member: { uid } }: RemotePrincipal,
  { cid, changes }: z.output<typeof updateInput>,
): PreparedWrite {
  const { store, context, clock } = service;
  const before = loadOwned(store.read, uid, cid);
  rejectOtherCid(changes, cid);
  rejectCountryNames(changes);
  const after = validateUpdate(service, { uid, cid, sent: { ...before, ...(changes as JsonObject) } });
  const effects = diffCampaigns(before, after);
  const diff = effects.map(({ field, before: from = null, after: to = null }) => ({
    field,
    from,
    to,
  }));
  if (diff.length === 0) throw new AppError('nothing_to_change');
  const today = serviceDay(clock.nowMs(), 'UTC');
  const exposure = { exposureBefore: exposureOf(before, today), exposureAfter: exposureOf(after, today) };
  const { warnings, notes } = assessUpdate(
    { before, after, changes: effects, context, today, ...exposure },
    defaultFormats,
  );
  const changesStatus = before['status'] !== after['status'];
  return {
    target: `campaign:${cid}`,
    payload: after,
    diff,
    warnings: [
      ...warnings.map(({ text }) => text),
      ...budgetWarnings(before, after),
      ...flightWarnings([after], today),
      ...(changesStatus ? balanceWarnings(after['status'], store.read.member(uid)?.balanceMicros ?? 0) : []),
      ...notes,
    ],
    revision: revisionOf(store.read, uid, [cid]) ?? '',
  };
}

/** Refuses a different `cid`. REST silently ignores it, but a person must not approve a value that is then dropped. */
function rejectOtherCid(changes: Record<string, unknown>, cid: number): void {
  if (!Object.hasOwn(changes, 'cid') || changes['cid'] === cid) return;
  const message = sentence`The campaign id cannot be changed.`;
  throw argumentsInvalid([{ field: 'changes.cid', code: 'not_allowed', message }]);
}

/** Refuses country names: the list accepts any text, but a campaign for “Germany” instead of `DE` would reach nobody. */
function rejectCountryNames({ geo }: Record<string, unknown>): void {
  const named = (Array.isArray(geo) ? geo : []).flatMap((entry): FieldError[] => {
    const code = typeof entry === 'string' && entry.trim().length > 2 ? parseCountryCode(entry) : null;
    if (code === null) return [];
    const message = sentence`Countries are codes of two letters: ${ownWords(code)} for ${String(entry)}.`;
    return [{ field: 'geo', code: 'wrong_format', message }];
  });
  if (named.length > 0) throw new AppError('validation_failed', { fields: named });
}

function cidOf({ cid }: JsonObject): number {
  return Number(cid);
}

function verifyUpdate(text: string | null, committed: JsonObject): Verification {
  const { cid = null } = committed;
  if (text === null) return { stored: 'none', data: { cid, differences: [] } };
  const differences = diffCampaigns(asStored(committed), asStored(JSON.parse(text) as JsonObject)).map(
    ({ field, before = null, after = null }) => ({ field, committed: before, stored: after }),
  );
  return { stored: differences.length === 0 ? 'all' : 'part', data: { cid, differences } };
}

const maxIds = 1_000;

const statusWords = statusCodes.map((code) => statusNames[code].toLowerCase());

const statusInput = z.strictObject({
  ids: z.array(z.int().positive()).min(1).max(maxIds).describe('Campaign ids; duplicates count once.'),
  status: z
    .union([z.enum([...statusWords, ...statusCodes.map(String)]), z.literal([...statusCodes])])
    .describe('A word, or the code 0 to 4.'),
});

const statusPayload = z.strictObject({ ids: z.array(z.int()), status: z.int() });

const statusTool: PrepareTool = {
  name: 'svc_prepare_campaign_status',
  title: 'Prepare a change of status',
  description: [
    'Checks whether the campaigns may have the status: all of them or none.',
    'Members can neither set campaigns to Pending nor approve pending ones; Active needs $1.00 available.',
  ].join(' '),
  input: statusInput,
  payload: statusPayload,
};

export function campaignStatus(service: BackendService): WriteKind {
  const { store } = service;
  return {
    name: 'campaign_status',
    tool: statusTool,
    scopes: [],
    modules: ['campaigns'],
    prepare: (principal, args) => prepareStatus(service, principal, statusInput.parse(args)),
    revision: ({ member }, sent) => revisionOf(store.read, member.uid, parseStatusPayload(sent).ids),
    apply: ({ member }, sent) => storeStatus(store, { uid: member.uid, ...parseStatusPayload(sent) }),
    verify: ({ member }, sent) => {
      const { ids, status } = parseStatusPayload(sent);
      return verifyStatus(store.read.statuses(member.uid, ids), { ids, status });
    },
  };
}

function prepareStatus(
  service: BackendService,
  { member: { uid } }: RemotePrincipal,
  asked: z.output<typeof statusInput>,
): PreparedWrite {
  const { store, clock } = service;
  const status = statusOf(asked.status);
  const all = [...new Set(asked.ids)];
  const found = validateStatusUpdate(store.read, { uid, ids: all, status });
  const ids = all.filter((cid) => found.get(cid) !== status);
  if (ids.length === 0) throw new AppError('nothing_to_change');
  const today = serviceDay(clock.nowMs(), 'UTC');
  const campaigns = ids.map((cid) => loadOwned(store.read, uid, cid));
  const changing = campaigns.map((campaign) => {
    const after = exposureOf({ ...campaign, status }, today);
    return { cid: Number(campaign['cid']), exposure: { before: exposureOf(campaign, today), after } };
  });
  const approvalWarnings = pendingWarnings(
    ids.map((cid) => found.get(cid)),
    status,
    defaultFormats,
  );
  const { warnings, notes } = assessStatus(
    { to: status, changing, stayingCount: all.length - ids.length },
    defaultFormats,
  );
  const balance = store.read.member(uid)?.balanceMicros ?? 0;
  return {
    target: ids.length === 1 ? `campaign:${ids.join()}` : `campaigns:${ids.join(',')}`,
    payload: { ids, status },
    diff: ids.map((cid) => ({ field: `${cid}.status`, from: found.get(cid) ?? null, to: status })),
    warnings: [
      ...[...approvalWarnings, ...warnings].map(({ text }) => text),
      ...flightWarnings(
        campaigns.map((campaign) => ({ ...campaign, status })),
        today,
      ),
      ...balanceWarnings(status, balance),
      ...notes,
    ],
    revision: revisionOf(store.read, uid, ids) ?? '',
  };
}

function statusOf(asked: string | number): StatusCode {
  const at = typeof asked === 'string' ? statusWords.indexOf(asked) : -1;
  const code = at >= 0 ? at : Number(asked);
  if (!isStatusCode(code)) throw new Error(`No status is called ${asked}`);
  return code;
}

function parseStatusPayload(sent: JsonObject): { ids: number[]; status: StatusCode } {
  const { ids, status } = statusPayload.parse(sent);
  return { ids, status: statusOf(status) };
}

function verifyStatus(
  found: ReadonlyMap<number, StatusCode>,
  committed: { ids: readonly number[]; status: StatusCode },
): Verification {
  const { ids, status } = committed;
  const campaigns = ids.map((cid) => {
    const now = found.get(cid);
    return { cid, status: now ?? null, status_name: now === undefined ? null : statusNames[now] };
  });
  const count = campaigns.filter(({ status: now }) => now === status).length;
  const stored = count === ids.length ? 'all' : count === 0 ? 'none' : 'part';
  return { stored, data: { asked: ids.length, storedCount: count, campaigns } };
}
