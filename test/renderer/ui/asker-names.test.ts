import { expect, test } from 'vitest';
import { askedWords, askerNames } from '#renderer/ui/index.ts';

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

test.each([
  [you, null, 'proposed by you'],
  [claude, null, 'proposed by “Claude Code” (agent)'],
  [you, [you], 'proposed by you'],
  [you, [claude, you], 'proposed by “Claude Code” (agent), you; batched by you'],
])('a proposal of %j with the members of %j is %s', (proposer, members, words) => {
  expect(askedWords(proposer, members)).toBe(words);
});
