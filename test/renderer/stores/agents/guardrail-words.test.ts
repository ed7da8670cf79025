import { expect, test } from 'vitest';
import { guardrailSentences, limitsSentence } from '#renderer/stores/agents/guardrails-form.ts';
import type { Guardrails, ProfileView } from '#shared/app-api/index.ts';
import { noGuardrails } from '#test/fixtures/guardrails.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

test('every active limit is described by one sentence', () => {
  expect(guardrailSentences(noGuardrails, defaultFormats)).toEqual([]);
  expect(
    guardrailSentences(
      {
        maxBidFactor: 1.5,
        maxRaisePerDayMicros: '500000000',
        maxRaiseUntilEndMicros: '9000000000',
        maxCampaigns: 1,
        pace: { changes: 20, minutes: 60 },
        spendPace: { micros: '1000000000', hours: 24 },
        quietHours: { fromHour: 22, untilHour: 7 },
        untouchable: [7],
      },
      defaultFormats,
    ),
  ).toEqual([
    'One change may raise a bid to 1.5 times the current one at most.',
    'One change may raise the money at risk per day by $500.00 at most.',
    'One change may raise the money at risk until the end by $9,000.00 at most.',
    'One change may touch 1 campaign at most.',
    'One agent may propose 20 changes in 60 minutes at most.',
    'The changes of one agent may raise the money at risk per day by $1,000.00 in 24 hours at most.',
    'From 22:00 to 07:00 agents may propose nothing, in the profile’s time zone.',
    '1 campaign is protected from every agent.',
  ]);
});

test.each<[string, Partial<Guardrails>, ProfileView['kind'], string]>([
  [
    'a new profile',
    { maxBidFactor: 2, maxRaisePerDayMicros: '500000000', maxCampaigns: 20 },
    'live',
    'One change of an agent may raise a bid to 2 times the current one, add $500.00 a day and touch 20 campaigns at most.',
  ],
  ['Demo', {}, 'demo', 'No limits, so you see the sample agent’s worst changes.'],
  ['a profile without limits', {}, 'live', 'No limits: every change that an agent proposes reaches you.'],
  ['one limit', { maxCampaigns: 1 }, 'demo', 'One change of an agent may touch 1 campaign at most.'],
  [
    'a limit among others',
    { maxBidFactor: 1.5, pace: { changes: 1, minutes: 1 }, untouchable: [7] },
    'live',
    'One change of an agent may raise a bid to 1.5 times the current one at most. 2 more limits apply.',
  ],
  ['other limits alone', { untouchable: [7] }, 'live', '1 limit applies to agents.'],
])('the limits of %s are described by one sentence', (_what, limits, kind, sentence) => {
  expect(limitsSentence({ ...noGuardrails, ...limits }, kind, defaultFormats)).toBe(sentence);
});
