import { z } from 'zod';
import { assessStatus, pendingWarnings } from '#shared/wording/index.ts';
import { exposureOf, serviceDay } from '#shared/campaign/index.ts';
import { isStatusCode, statusCodes, statusNames, type StatusCode } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { RemotePrincipal } from '../remote-call/tool.ts';
import { loadOwned } from '../member/stored-campaign.ts';
import { checkedStatuses, storeStatus } from '../member/status-rules.ts';
import type { BackendService } from '../service.ts';
import {
  type DiffLine,
  type PreparedWrite,
  type PrepareTool,
  type WriteKind,
  type Verification,
  revisionOf,
  balanceWarnings,
  flightWarnings,
} from './write-kind.ts';
import { usualFormats } from '#shared/lib/formats.ts';

const maxIds = 1_000;

const words = statusCodes.map((code) => statusNames[code].toLowerCase());

const input = z.strictObject({
  ids: z.array(z.int().positive()).min(1).max(maxIds).describe('Campaign ids; duplicates count once.'),
  status: z
    .union([z.enum([...words, ...statusCodes.map(String)]), z.literal([...statusCodes])])
    .describe('A word, or the code 0 to 4.'),
});

const payload = z.strictObject({ ids: z.array(z.int()), status: z.int() });

const tool: PrepareTool = {
  name: 'svc_prepare_campaign_status',
  title: 'Prepare a change of status',
  description: [
    'Checks whether the campaigns may have the status: all of them or none.',
    'Members can neither set campaigns to Pending nor approve pending ones; Active needs $1.00 available.',
  ].join(' '),
  input,
  payload,
};

/** The write `campaign_status`, by the rules of PUT /login/campaigns/update-status (contract §4.1, §3). */
export function campaignStatus(service: BackendService): WriteKind {
  const { store } = service;
  return {
    name: 'campaign_status',
    tool,
    scopes: [],
    modules: ['campaigns'],
    prepare: (principal, args) => prepare(service, principal, input.parse(args)),
    revision: ({ member }, sent) => revisionOf(store.read, member.uid, moveOf(sent).ids),
    apply: ({ member }, sent) => storeStatus(store, { uid: member.uid, ...moveOf(sent) }),
    verify: ({ member }, sent) => {
      const { ids, status } = moveOf(sent);
      return verifyStatus(store.read.statuses(member.uid, ids), { ids, status });
    },
  };
}

function prepare(
  service: BackendService,
  { member: { uid } }: RemotePrincipal,
  asked: z.output<typeof input>,
): PreparedWrite {
  const { store, clock } = service;
  const status = statusOf(asked.status);
  const all = [...new Set(asked.ids)];
  const found = checkedStatuses(store.read, { uid, ids: all, status });
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
    usualFormats,
  );
  const { warnings, notes } = assessStatus(
    { to: status, changing, stayingCount: all.length - ids.length },
    usualFormats,
  );
  const balance = store.read.member(uid)?.balanceMicros ?? 0;
  return {
    target: ids.length === 1 ? `campaign:${ids.join()}` : `campaigns:${ids.join(',')}`,
    payload: { ids, status },
    diff: ids.map((cid): DiffLine => ({ field: `${cid}.status`, from: found.get(cid) ?? null, to: status })),
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
  const at = typeof asked === 'string' ? words.indexOf(asked) : -1;
  const code = at >= 0 ? at : Number(asked);
  if (!isStatusCode(code)) throw new Error(`No status is called ${asked}`);
  return code;
}

/** The payload of a commit: the one that was prepared. */
function moveOf(sent: JsonObject): { ids: number[]; status: StatusCode } {
  const { ids, status } = payload.parse(sent);
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
