import { expect, test } from 'vitest';
import { defaultFormats } from '#shared/lib/formats.ts';
import { scoreSentence, type Verdict } from '#shared/training/index.ts';

const fault = { kind: 'bid', what: '', where: '', costPerDayMicros: null } as const;

test.each<[Verdict[], string]>([
  [['caught', 'fine'], 'You caught the fault and stopped no good change.'],
  [['missed', 'fine'], 'You caught 0 of 1 fault and stopped no good change.'],
  [['caught', 'undecided', 'false-alarm'], 'You caught 1 of 2 faults and stopped one good change.'],
  [['caught', 'caught', 'false-alarm', 'false-alarm'], 'You caught all 2 faults and stopped 2 good changes.'],
  [['fine'], 'No fault was proposed.'],
  [['false-alarm'], 'No fault was proposed. You stopped one good change.'],
])('a debriefing of %j says: %s', (verdicts, sentence) => {
  const items = verdicts.map((verdict) => ({
    verdict,
    fault: verdict === 'fine' || verdict === 'false-alarm' ? null : fault,
  }));
  expect(scoreSentence(items, defaultFormats)).toBe(sentence);
});
