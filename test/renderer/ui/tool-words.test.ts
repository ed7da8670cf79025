import { expect, test } from 'vitest';
import { argumentCount, unchangedAre } from '#renderer/ui/proposal/proposal-words.ts';

test.each([
  [{ operation: 'campaign.update', detail: { kind: 'campaigns' } }, 'fields'],
  [{ operation: 'campaign.status', detail: { kind: 'campaigns' } }, 'campaigns'],
  [{ operation: 'tool.call', detail: { kind: 'tool', known: 'update' } }, 'fields'],
  [{ operation: 'tool.call', detail: { kind: 'tool', known: 'status' } }, 'campaigns'],
  [{ operation: 'tool.call', detail: { kind: 'tool', known: 'campaign' } }, 'now'],
] as const)('what stands beside %o are %s', (proposal, are) => {
  expect(unchangedAre(proposal)).toBe(are);
});

test('arguments are counted in words', () => {
  expect([0, 1, 5].map(argumentCount)).toEqual(['0 arguments', '1 argument', '5 arguments']);
});
