import { expect, test } from 'vitest';
import { askerNames } from '#renderer/ui/index.ts';

const you = { kind: 'person', name: 'You' } as const;
const claude = { kind: 'agent', name: 'Claude Code' } as const;

test.each([
  [[you], 'you'],
  [[claude], '“Claude Code” (agent)'],
  [[claude, you, claude], '“Claude Code” (agent), you'],
  [[{ kind: 'agent', name: 'x” (agent), you “' } as const], '“x" (agent), you "” (agent)'],
])('%j reads %s', (askers, words) => {
  expect(askerNames(askers)).toBe(words);
});
