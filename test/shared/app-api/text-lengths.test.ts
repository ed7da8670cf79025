import { expect, test } from 'vitest';
import type { z } from 'zod';
import {
  appApi,
  maxCampaignNoteLength,
  maxLabelNameLength,
  maxNoteLength,
  maxViewNameLength,
} from '#shared/app-api/index.ts';
import { reportTaskSchema } from '#shared/contract/index.ts';
import { maxSearchText } from '#shared/find/index.ts';
import { decisionSchema } from '#shared/host-api/index.ts';

const task = {
  kind: 'report_export',
  schedule: { type: 'daily', time: '08:00', timezone: 'UTC' },
  parameters: { report: 'search', lastDays: 1, format: 'csv' },
};
const picture = { kind: 'icon', contentType: 'image/png', data: '', cid: null };
const mark = {
  target: { report: 'xml', source: 1, dimension: 'geo', value: 'DE' },
  sign: 'note',
  range: { from: '2026-11-01', to: '2026-11-02' },
};
const decision = { displayId: 's', nonce: 'n', fingerprint: 'f', decision: 'deny', typed: null };
const change = { cid: 1, field: 'payout', draft: null };

/** Returns the issues of the member that contains the text. Issues of missing members are ignored. */
function issuesAt(schema: z.ZodType, member: string, input: object): readonly unknown[] {
  const { error } = schema.safeParse(input);
  return error?.issues.filter(({ path }) => path.includes(member)) ?? [];
}

test.each<[string, z.ZodType, member: string, others: object, max: number]>([
  ['name of a scheduled report', reportTaskSchema, 'name', task, 100],
  ['name of a picture', appApi['uploads.propose'].input, 'fileName', picture, 200],
  ['note of a mark', appApi['reports.marks.set'].input, 'note', mark, maxNoteLength],
  ['note of a campaign', appApi['campaigns.setNote'].input, 'note', { cid: 1 }, maxCampaignNoteLength],
  [
    'name of a label',
    appApi['campaigns.saveLabel'].input,
    'name',
    { id: null, color: 'grey' },
    maxLabelNameLength,
  ],
  ['name of a view', appApi['reports.views.save'].input, 'name', {}, maxViewNameLength],
  ['title of a step', appApi['drafts.change'].input, 'title', { changes: [change] }, 200],
  ['reason of a denial', decisionSchema, 'reason', decision, 500],
  ['name of a tool', appApi['agents.acceptTool'].input, 'name', { profileId: 'p', hash: 'h' }, 200],
])('the length of the %s is counted in code points', (_what, schema, member, others, max) => {
  const text = '\u{1F30D}'.repeat(max);
  expect(issuesAt(schema, member, { ...others, [member]: text })).toEqual([]);
  expect(issuesAt(schema, member, { ...others, [member]: `${text}a` })).toHaveLength(1);
});

test('a search may be as long as the longest name', () => {
  const query = (text: string): readonly unknown[] =>
    issuesAt(appApi['campaigns.page'].input, 'query', { filter: { query: text } });
  expect(query('\u{1F30D}'.repeat(maxSearchText))).toEqual([]);
  expect(query('\u{1F30D}'.repeat(maxSearchText + 1))).toHaveLength(1);
});
