import { z } from 'zod';
import type { StoredProposal } from '#core/store/app/index.ts';
import type { CampaignFacts, Exposure, ServiceMoment } from '#shared/campaign/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { readStoredText } from '#core/platform/stored-text.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { type TargetedCampaigns, rowChange, type StatusTarget } from '#shared/wording/index.ts';

/** Compared before sending, without effective limits: a service may count them down, and then no running campaign could be paused. */
export const comparedFields = ['status', 'd_revenue', 't_revenue'] as const;

export type ComparedField = (typeof comparedFields)[number];

const money = z.union([
  z.object({ kind: z.literal('unlimited') }),
  z.object({ kind: z.literal('amount'), micros: z.string() }),
]);

const exposure = z.object({
  perDay: money,
  startsOn: z.string().nullable(),
  untilEnd: money,
  endsOn: z.string().nullable(),
});

const facts: z.ZodType<CampaignFacts> = z.object({
  buys: z
    .object({ type: z.string(), pricing: z.enum(['CPC', 'CPV', 'CPM', 'other']), stated: z.string() })
    .nullable(),
  bidMicros: z.string().nullable(),
  countries: z
    .union([
      z.object({ kind: z.literal('all') }),
      z.object({ kind: z.literal('listed'), entries: z.array(z.string()) }),
    ])
    .nullable(),
  hours: z.object({ on: z.int(), week: z.string().nullable(), zone: z.string().nullable() }).nullable(),
  host: z
    .union([z.object({ kind: z.literal('host'), host: z.string() }), z.object({ kind: z.literal('none') })])
    .nullable(),
  daily: money,
  total: money,
});

const pauseReturn = z.object({ id: z.string(), atMs: z.int() });

/** When the campaigns of a pause return. The parts of a large pause share one id. */
export type PauseReturn = z.infer<typeof pauseReturn>;

const baseSchema = z.object({
  only: z.literal('running').optional(),
  returns: pauseReturn.optional(),
  /** Set if the exposure was counted from list rows, which cannot contain flight or hours. */
  from: z.literal('list').optional(),
  countedAt: z.object({ date: z.string(), time: z.string(), zone: z.string() }),
  campaigns: z.array(
    z.object({
      cid: z.int(),
      name: z.string(),
      row: z.object({ status: z.int(), d_revenue: z.number(), t_revenue: z.number() }),
      exposure: z.object({ before: exposure, after: exposure }),
      facts: facts.exactOptional(),
    }),
  ),
});

const payloadSchema = z.object({ ids: z.array(z.int()), status: z.literal([0, 1, 2, 3, 4]) });

type StoredExposure = z.infer<typeof exposure>;

type StatusPayload = z.infer<typeof payloadSchema>;

export interface StatusParts {
  targeted: TargetedCampaigns;
  returns: PauseReturn | null;
  countedFrom: 'campaigns' | 'list';
  targets: StatusTarget[];
  countedAt: ServiceMoment;
  payload: StatusPayload;
}

export function comparedRow(row: CampaignRow): StatusTarget['row'] {
  const { status, d_revenue, t_revenue } = row;
  return { status, d_revenue, t_revenue };
}

/** The fingerprint covers this text, and therefore also which campaigns are targeted. */
export function baseText(parts: Omit<StatusParts, 'payload'>): string {
  const { targets, countedAt, targeted, returns, countedFrom } = parts;
  const campaigns = targets.map(({ cid, name, row, exposure: { before, after }, facts: known }) => ({
    cid,
    name,
    row,
    exposure: { before: storedExposure(before), after: storedExposure(after) },
    ...(known !== undefined && { facts: { ...known } }),
  }));
  const only = targeted === 'running' ? { only: targeted } : {};
  const from = countedFrom === 'list' ? { from: countedFrom } : {};
  const timed = returns === null ? {} : { returns };
  return canonicalJson({ campaigns, countedAt: { ...countedAt }, ...only, ...timed, ...from });
}

export function statusParts({ payload, base }: Pick<StoredProposal, 'payload' | 'base'>): StatusParts {
  const { campaigns, countedAt, only, returns, from } = readStoredText(baseSchema, base);
  return {
    targeted: only ?? 'all',
    returns: returns ?? null,
    countedFrom: from ?? 'campaigns',
    targets: campaigns.map(({ exposure: { before, after }, ...target }) => ({
      ...target,
      exposure: { before: fromStored(before), after: fromStored(after) },
    })),
    countedAt,
    payload: readStoredText(payloadSchema, payload),
  };
}

export function isMeantForRunning({
  operation,
  ...write
}: Pick<StoredProposal, 'operation' | 'payload' | 'base'>): boolean {
  return operation === 'campaign.status' && statusParts(write).targeted === 'running';
}

export function storedExposure({ perDay, startsOn, untilEnd, endsOn }: Exposure): StoredExposure {
  const text = (amount: Exposure['perDay']): z.infer<typeof money> =>
    amount.kind === 'unlimited' ? amount : { kind: 'amount', micros: amount.micros.toString() };
  return { perDay: text(perDay), startsOn, untilEnd: text(untilEnd), endsOn };
}

function fromStored({ perDay, startsOn, untilEnd, endsOn }: StoredExposure): Exposure {
  const amount = (text: z.infer<typeof money>): Exposure['perDay'] =>
    text.kind === 'unlimited' ? text : { kind: 'amount', micros: BigInt(text.micros) };
  return { perDay: amount(perDay), startsOn, untilEnd: amount(untilEnd), endsOn };
}

type Verdicts = ProposalView['verdicts'];

export function skippedVerdicts({ verdicts }: Pick<StoredProposal, 'verdicts'>): Verdicts {
  return verdicts.filter(({ verdict }) => verdict === 'left');
}

export function skippedCids(proposal: StoredProposal): ReadonlySet<number> {
  if (proposal.operation !== 'campaign.status' || skippedVerdicts(proposal).length === 0) return new Set();
  const sent = new Set(sentTargets(proposal).map(({ cid }) => cid));
  return new Set(proposal.targets.filter((cid) => !sent.has(cid)));
}

export function storedStatus(proposal: StoredProposal, cid: number): Verdicts[number]['verdict'] | undefined {
  const sent = sentTargets(proposal);
  const isOne = statusParts(proposal).targets.length === 1;
  const target = sent.find((one) => one.cid === cid);
  const field = target && rowChange(target, isOne, 'status').field;
  return proposal.verdicts.find((one) => one.field === field)?.verdict;
}

export function sentTargets(proposal: StoredProposal): StatusTarget[] {
  const { targets, payload } = statusParts(proposal);
  const isOne = targets.length === 1;
  const left = new Set(skippedVerdicts(proposal).map(({ field }) => field));
  return targets.filter(
    (target) => payload.ids.includes(target.cid) && !left.has(rowChange(target, isOne, 'status').field),
  );
}

export function sentPayload(proposal: StoredProposal): string {
  if (skippedVerdicts(proposal).length === 0) return proposal.payload;
  const { ids, status } = statusParts(proposal).payload;
  const sent = new Set(sentTargets(proposal).map(({ cid }) => cid));
  return canonicalJson({ ids: ids.filter((cid) => sent.has(cid)), status });
}
