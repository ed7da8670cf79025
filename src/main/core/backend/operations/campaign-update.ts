import { z } from 'zod';
import { assessUpdate } from '#shared/wording/index.ts';
import { diffCampaigns, exposureOf, serviceDay } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { argumentsInvalid } from '../remote-call/arguments.ts';
import type { RemotePrincipal } from '../remote-call/tool.ts';
import { checkedUpdate, storeUpdate, loadOwned } from '../member/stored-campaign.ts';
import type { BackendService } from '../service.ts';
import { asStored } from '../uploads/routes.ts';
import {
  type DiffLine,
  type PreparedWrite,
  type PrepareTool,
  type WriteKind,
  type Verification,
  revisionOf,
  balanceWarnings,
  flightWarnings,
  zeroWarnings,
} from './write-kind.ts';
import { usualFormats } from '#shared/lib/formats.ts';
import { sentence } from '#shared/lib/sentence.ts';

const input = z.strictObject({
  cid: z.int().positive(),
  changes: z
    .record(z.string(), z.unknown())
    .describe('Only the fields that change, each with its whole new value.'),
});

const tool: PrepareTool = {
  name: 'svc_prepare_campaign_update',
  title: 'Prepare a campaign update',
  description: [
    'Lays the changes over the complete current campaign and validates the result as the service will.',
    'A targeting flag of 1 means all values and empties its list; a budget of 0 means unlimited.',
  ].join(' '),
  input,
  payload: z.looseObject({ cid: z.int() }).describe('The complete campaign as it would be stored.'),
};

/** The write `campaign_update`: the complete campaign, by the rules of PUT /login/campaigns/{cid} (contract §4.1). */
export function campaignUpdate(service: BackendService): WriteKind {
  const { store } = service;
  return {
    name: 'campaign_update',
    tool,
    scopes: [],
    modules: ['campaigns'],
    prepare: (principal, args) => prepare(service, principal, input.parse(args)),
    revision: ({ member }, payload) => revisionOf(store.read, member.uid, [cidOf(payload)]),
    apply: ({ member }, payload) =>
      storeUpdate(service, { uid: member.uid, cid: cidOf(payload), sent: payload }),
    verify: ({ member }, payload) => verifyUpdate(store.read.payload(member.uid, cidOf(payload)), payload),
  };
}

function prepare(
  service: BackendService,
  { member: { uid } }: RemotePrincipal,
  { cid, changes }: z.output<typeof input>,
): PreparedWrite {
  const { store, context, clock } = service;
  const before = loadOwned(store.read, uid, cid);
  rejectOtherCid(changes, cid);
  const after = checkedUpdate(service, { uid, cid, sent: { ...before, ...(changes as JsonObject) } });
  const effects = diffCampaigns(before, after);
  const diff = effects.map(({ field, before: from = null, after: to = null }): DiffLine => ({
    field,
    from,
    to,
  }));
  if (diff.length === 0) throw new AppError('nothing_to_change');
  const today = serviceDay(clock.nowMs(), 'UTC');
  const exposure = { exposureBefore: exposureOf(before, today), exposureAfter: exposureOf(after, today) };
  const { warnings, notes } = assessUpdate(
    { before, after, changes: effects, context, today, ...exposure },
    usualFormats,
  );
  const changesStatus = before['status'] !== after['status'];
  return {
    target: `campaign:${cid}`,
    payload: after,
    diff,
    warnings: [
      ...warnings.map(({ text }) => text),
      ...zeroWarnings(before, after),
      ...flightWarnings([after], today),
      ...(changesStatus ? balanceWarnings(after['status'], store.read.member(uid)?.balanceMicros ?? 0) : []),
      ...notes,
    ],
    revision: revisionOf(store.read, uid, [cid]) ?? '',
  };
}

/** Refuses a conflict with the path: over REST the path wins silently, but here no requested value is dropped. */
function rejectOtherCid(changes: Record<string, unknown>, cid: number): void {
  if (!Object.hasOwn(changes, 'cid') || changes['cid'] === cid) return;
  const message = sentence`The campaign id cannot be changed.`;
  throw argumentsInvalid([{ field: 'changes.cid', code: 'not_allowed', message }]);
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
