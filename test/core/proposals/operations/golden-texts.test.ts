import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProposalWords } from '#core/proposals/index.ts';
import { trainingWords, wordsOfChange } from '#core/training/lesson-figure.ts';
import { factsInWords } from '#shared/wording/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { harmlessChanges, plantedFaults, sampleCampaign } from '#shared/training/corpus/index.ts';
import { groups } from '#test/e2e/planted/groups.ts';
import { batchOf } from '#test/fixtures/batch-of.ts';

const edits: Record<string, JsonObject[string][]> = {
  name: ['Another name', 'Checked by\u202eCountersign', ''],
  payout: [0.001, 0.05, 0.45, 4.5, '0.2', 'x'],
  d_revenue: [0, 1, 500, 25_000],
  t_revenue: [0, 100, 1_000_000],
  enable_budget: [0, 1],
  geo: [[], ['DE'], ['IN'], ['DE', 'FR', 'IT', 'ES', 'PL', 'PT', 'BR', 'US']],
  geo_enabled: [0, 1],
  status: [1, 3, 4],
  freq_cap: [0, 1, 24],
  enable_shedule: [0, 1],
  shedule: [Array.from({ length: 168 }, (_hour, index) => (index % 24 < 12 ? 1 : 0))],
  shedule_timezone: ['UTC', 'America/New_York', 5],
  clickurl: [
    'http://track.example/c?src=[SOURCE]',
    'https://evil.example/c?cid={click_id}',
    'https://tr\u0430ck.example/c',
    'nowhere',
    '',
  ],
  expire: ['', '2026-12-31', '2026-01-01'],
  traffic_speed: [0, 1],
  ip_blocklist: [[], ['203.0.113.7', '192.0.2.1'], 'x'],
  keywords_blocklist: ['', 'casino\nbonus'],
};

const anyEdit = fc
  .uniqueArray(fc.constantFrom(...Object.keys(edits)), { minLength: 1, maxLength: 4 })
  .chain((fields) =>
    fc.record(Object.fromEntries(fields.map((field) => [field, fc.constantFrom(...(edits[field] ?? []))]))),
  );

type Change = ProposalWords['changes'][number];

function changeText({ label, before, after, delta, factor, added, removed }: Change): string {
  const entries = [...added.map((entry) => `+${entry}`), ...removed.map((entry) => `-${entry}`)];
  return ['change:', `${label}:`, before, '→', after, delta ?? '', factor ?? '', ...entries].join(' ').trim();
}

/** Returns everything that a person reads about a write, one line each. Unchanged fields are only counted. */
function textsOf(words: ProposalWords): string[] {
  const { risk, warnings, changes, unchanged, typeToConfirm, facts, detail } = words;
  const pair = ({ before, after }: ProposalWords['risk']['perDay']): string =>
    `${before.text} → ${after.text}`;
  return [
    `title: ${words.title}`,
    `per day: ${pair(risk.perDay)}; until the end: ${pair(risk.untilEnd)}`,
    ...(risk.headline === undefined ? [] : [`headline: ${JSON.stringify(risk.headline)}`]),
    ...risk.notes.map((note) => `note: ${note}`),
    ...warnings.map(({ severity, code, text }) => `${severity} ${code}: ${text}`),
    ...(typeToConfirm === null ? [] : [`to type: ${JSON.stringify(typeToConfirm)}`]),
    ...changes.map(changeText),
    `stay: ${unchanged.length}`,
    ...factsInWords(facts, defaultFormats).map(
      ({ label, before, value }) => `fact: ${label}: ${before === undefined ? '' : `${before} → `}${value}`,
    ),
    ...detailTexts(detail),
  ];
}

function detailTexts(detail: ProposalWords['detail']): string[] {
  if (detail.kind === 'tool') return detail.args.map(({ path, value }) => `argument: ${path}: ${value}`);
  if (detail.kind !== 'batch') return [];
  return [
    ...detail.members.flatMap(({ title, changes, remarks }) => [
      `  ${title}`,
      ...changes.map((change) => `    ${changeText(change)}`),
      ...remarks.map(({ severity, text }) => `    ${severity}: ${text}`),
    ]),
    ...detail.skipped.map(({ what, because }) => `  left out: ${what} ${because}`),
  ];
}

const described: [string, ProposalWords][] = [
  ...[...plantedFaults, ...harmlessChanges].map(({ name, write }): [string, ProposalWords] => [
    name,
    trainingWords(write, defaultFormats).words,
  ]),
  ...groups.map((group): [string, ProposalWords] => [group.name, batchOf(group.members, group)]),
  ...fc
    .sample(anyEdit, { seed: 20_261_129, numRuns: 60 })
    .map((edit): [string, ProposalWords] => [
      JSON.stringify(edit),
      wordsOfChange({ before: sampleCampaign, after: { ...sampleCampaign, ...edit } }, defaultFormats).words,
    ]),
];

test('the texts of the corpus and of a sample of changes match the reviewed snapshot', async () => {
  const texts = described.map(([name, words]) => [`# ${name}`, ...textsOf(words), ''].join('\n'));
  await expect(texts.join('\n')).toMatchFileSnapshot('golden-texts.txt');
});
