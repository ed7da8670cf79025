import { expect, test } from 'vitest';
import { driftLines, reportText } from '#core/doctor/report/report-text.ts';
import type { DoctorStep } from '#shared/app-api/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

const step: DoctorStep = {
  id: 'health',
  title: sentence`Alive`,
  state: 'ok',
  asked: sentence`GET https://mcp.example.com/health`,
  answer: sentence`200 in 12 ms: “{"status":"ok"}”`,
  tookMs: 12.4,
  means: null,
  remedy: null,
  findings: [],
};

test('the text report aligns every step with its request and result, lists drifts below the contract, and gives reasons for skipped steps', () => {
  const steps: DoctorStep[] = [
    step,
    {
      ...step,
      id: 'member-list',
      title: sentence`Member campaigns`,
      state: 'failed',
      asked: sentence`GET https://ads.example.com/api/v1/login/campaigns/campaigns`,
      answer: sentence`401: No.`,
      tookMs: 3.25,
      means: sentence`The token has ended.`,
      remedy: sentence`Paste a living one.`,
    },
    {
      ...step,
      id: 'contract',
      title: sentence`Contract`,
      state: 'notice',
      asked: sentence`the reads`,
      answer: sentence`1 hold, 1 drift, 3 were not asked`,
      tookMs: 800,
      means: sentence`It differs.`,
      remedy: sentence`Send this report.`,
      findings: [
        {
          id: 'a',
          clause: '§4.1',
          title: sentence`perPage is honoured`,
          state: 'drifts',
          text: sentence`it is not`,
        },
        { id: 'b', clause: '§2.1', title: sentence`The envelope`, state: 'holds', text: sentence`` },
        {
          id: 'c',
          clause: '§2.2',
          title: sentence`The list`,
          state: 'skipped',
          text: sentence`There is no member token.`,
        },
        {
          id: 'd',
          clause: '§2.6',
          title: sentence`The report`,
          state: 'skipped',
          text: sentence`There is no publisher key.`,
        },
        {
          id: 'e',
          clause: '§3',
          title: sentence`The names`,
          state: 'skipped',
          text: sentence`There is no member token.`,
        },
      ],
    },
  ];
  const report = { subject: 'Meridian', profileId: 'p', startedAtMs: 0, endedAtMs: 1500, steps, text: '' };
  expect(reportText(report, defaultFormats)).toBe(`Countersign: examination of a service
  service  Meridian
  begun    1970-01-01T00:00:00.000Z, 1.5 s
  result   1 ok, 1 notice, 1 failed

✓ ok       Alive             12 ms
             asked   GET https://mcp.example.com/health
             answer  200 in 12 ms: “{"status":"ok"}”
✗ failed   Member campaigns  3.3 ms
             asked   GET https://ads.example.com/api/v1/login/campaigns/campaigns
             answer  401: No.
             means   The token has ended.
             do      Paste a living one.
! notice   Contract          800 ms
             asked   the reads
             answer  1 hold, 1 drift, 3 were not asked
             means   It differs.
             do      Send this report.
             ! drifts   §4.1 · perPage is honoured: it is not
             – skipped  2 lines of the contract: There is no member token.
             – skipped  §2.6 · The report: There is no publisher key.
`);
});

test('a drift that affects many clauses of the contract is listed once with its clauses', () => {
  const redirect = sentence`Expected an answer; came a redirect, which is never followed.`;
  const finding = (id: string, clause: string, text: Sentence) =>
    ({ id, clause, title: sentence`Line ${ownWords(id)}`, state: 'drifts', text }) as const;
  const findings = [
    finding('a', '§4.1', redirect),
    finding('b', '§4.1, §7.1', redirect),
    finding('c', '§2.2', sentence`Expected 1; came 2.`),
    finding('d', '§4.2', redirect),
  ];
  expect(driftLines(findings, defaultFormats)).toEqual([
    `§4.1, §7.1, §4.2 · 3 lines of the contract: ${redirect}`,
    '§2.2 · Line c: Expected 1; came 2.',
  ]);
});
