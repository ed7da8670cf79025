import { baseText } from '#core/proposals/operations/status-change/stored-parts.ts';
import { describeStatus } from '#core/proposals/operations/describe-write.ts';
import { wordsOfChange, trainingProposer } from '#core/training/lesson-figure.ts';
import type { ProposalWords } from '#core/proposals/index.ts';
import { exposureOf, factsOf } from '#shared/campaign/index.ts';
import { factsInWords } from '#shared/wording/index.ts';
import type { StatusCode } from '#shared/contract/index.ts';
import type { Display } from '#shared/host-api/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import {
  sampleCampaign,
  sampleContext,
  sampleDay,
  type TrainingChange,
} from '#shared/training/corpus/index.ts';
import { batchOf } from '#test/fixtures/batch-of.ts';
import { exampleDisplay } from '#test/fixtures/proposal.ts';
import { sentence, type Sentence } from '#shared/lib/sentence.ts';

/** Changes that are decided together. */
export interface Group {
  name: string;
  equally: Sentence;
  members: readonly ProposalWords[];
  /** Campaigns that a resume skips. */
  skipped?: { what: Sentence; because: Sentence }[];
  /** Part of the largest text in view. Absent for a group whose confirmation must have no text larger than the title. */
  telltale?: string;
}

/** Makes the confirmation of a group as a batch. */
export function groupDisplay({ equally, members, skipped = [] }: Group): Display {
  const {
    effects: _effects,
    comparable: _comparable,
    operand: _operand,
    facts,
    ...shown
  } = batchOf(members, { equally, skipped });
  return exampleDisplay({
    ...trainingProposer,
    ...shown,
    facts: factsInWords(facts, defaultFormats),
    operation: 'batch',
    createdAtMs: Date.now(),
    expiresAtMs: Date.now() + 3_600_000,
  });
}

function campaigns(count: number, of: (index: number) => JsonObject): JsonObject[] {
  const names = ['DE push – summer', 'FR push – autumn', 'IT in-page – sale', 'ES push – brand'];
  return Array.from({ length: count }, (_entry, index) => ({
    ...sampleCampaign,
    cid: 1042 + index,
    name: `${names[index % names.length] ?? ''} ${index + 1}`,
    ...of(index),
  }));
}

const updates = (before: readonly JsonObject[], of: (campaign: JsonObject) => JsonObject): ProposalWords[] =>
  before
    .map((campaign): TrainingChange => ({ before: campaign, after: { ...campaign, ...of(campaign) } }))
    .map((change) => wordsOfChange(change, defaultFormats).words);

function toStatus(before: readonly JsonObject[], status: StatusCode): ProposalWords {
  const today = { ...sampleDay, time: '14:00' };
  const targets = before.map((campaign) => ({
    cid: Number(campaign['cid']),
    name: String(campaign['name']),
    row: {
      status: Number(campaign['status']),
      d_revenue: Number(campaign['d_revenue']),
      t_revenue: Number(campaign['t_revenue']),
    },
    exposure: {
      before: exposureOf(campaign, today),
      after: exposureOf({ ...campaign, status }, today),
    },
    facts: factsOf(campaign, sampleContext),
  }));
  const wording = {
    ...trainingProposer,
    createdAtMs: Date.parse(`${sampleDay.date}T13:00:00Z`),
    rebase: null,
    payload: canonicalJson({ ids: targets.map(({ cid }) => cid), status }),
    base: baseText({ targets, countedAt: today, targeted: 'all', returns: null, countedFrom: 'campaigns' }),
  };
  return describeStatus(wording, defaultFormats);
}

const markets = [['DE'], ['FR', 'BE'], ['IT'], ['ES', 'PT'], ['PL']];
const raised = (factor: number) => (campaign: JsonObject) => ({
  payout: Math.round(Number(campaign['payout']) * factor * 10_000) / 10_000,
});

/** Groups with a planted fault, and harmless groups. */
export const groups: readonly Group[] = [
  {
    name: 'bids 10% higher, one paused',
    equally: sentence`Raise bids by 10%, rounded to 4 decimals`,
    members: updates(
      campaigns(2, (index) => (index === 0 ? { d_revenue: 450 } : { status: 3, geo: ['FR'] })),
      raised(1.1),
    ),
  },
  {
    name: 'bids three times as high in five markets',
    equally: sentence`Raise bids ×3`,
    members: updates(
      campaigns(5, (index) => ({ geo: markets[index] ?? [], d_revenue: 50 + 10 * index })),
      raised(3),
    ),
    telltale: '×3',
  },
  {
    name: 'another host in twelve',
    equally: sentence`Change the host of the click URL from “track.example” to “evil.example”`,
    members: updates(
      campaigns(12, () => ({})),
      () => ({ clickurl: 'https://evil.example/c?cid={click_id}&src=[SOURCE]' }),
    ),
    telltale: 'evil.example',
  },
  {
    name: 'undo with one danger',
    equally: sentence`Undo what “Claude Code” changed`,
    members: [
      ...updates(
        campaigns(1, () => ({})),
        () => ({
          enable_budget: 0,
          geo: ['IN'],
          freq_cap: 0,
          traffic_speed: 0,
          expire: '',
          expire_time: '',
          clickurl: 'https://track.example/c?src=[SOURCE]',
        }),
      ),
      ...updates(campaigns(2, () => ({})).slice(1), () => ({ name: 'FR push – winter' })),
    ],
    telltale: 'Unlimited',
  },
  {
    name: 'resume of twelve, two without a daily limit',
    equally: sentence`Resume after emergency stop`,
    members: [
      toStatus(
        campaigns(12, (index) => ({ status: 3, ...(index > 9 && { enable_budget: 0 }) })),
        1,
      ),
      toStatus(campaigns(15, () => ({ status: 3 })).slice(12), 4),
    ],
    skipped: [{ what: sentence`“PL push – brand” (1077)`, because: sentence`It is Suspended now.` }],
    telltale: 'Unlimited',
  },
  {
    name: 'a pause of six',
    equally: sentence`Pause`,
    members: campaigns(6, () => ({})).map((campaign) => toStatus([campaign], 3)),
  },
];
