import { expect, test } from 'vitest';
import type { ProposalState } from '#shared/proposals/states.ts';
import {
  proposedByWords,
  proposerNames,
  admitWords,
  endingForPerson,
  scopesText,
} from '#shared/wording/index.ts';

test.each([
  ['Claude Code', 'Allow “Claude Code”'],
  ['a\u202eb', 'Allow agent'],
  ['Zo\u00eb', 'Allow “Zo\u00eb”'],
  ['\ufdfd\ufdfd', 'Allow agent'],
  ['\u062d\u0645\u0644\u0629 5', 'Allow agent'],
  ['x” in', 'Allow agent'],
  ['x" in', 'Allow “x" in”'],
  ['a name that would make the button as wide as the window', 'Allow agent'],
])('the button for %j says %j', (name, words) => {
  expect(admitWords(name)).toBe(words);
});

test('the outcome of an admission speaks of access, not of campaigns', () => {
  const ending = (state: ProposalState) =>
    endingForPerson({ operation: 'agent.admit', state, outcome: null });
  expect(ending('verified')?.sentence).toBe('Access granted.');
  expect(ending('expired')?.sentence).toBe('Expired. It has no access.');
  expect(ending('unknown')).toBeNull();
});

test.each([
  [
    'agents_frozen',
    {
      sentence: 'Withdrawn: all agents are frozen. Nothing was sent.',
      next: 'The agent can propose it again when you let agents work again.',
    },
  ],
  [
    'proposal_withdrawn',
    { sentence: 'The agent left.', next: 'Ask the agent again if you still want the change.' },
  ],
  ['agent_ended', null],
])('a change that was withdrawn with %s ends in words for the person', (code, ending) => {
  const outcome = { code, message: 'The agent left.' };
  expect(endingForPerson({ operation: 'campaign.update', state: 'withdrawn', outcome })).toEqual(ending);
});

const you = { kind: 'person', name: 'You' } as const;
const claude = { kind: 'agent', name: 'Claude Code' } as const;

test.each([
  [[you], 'you'],
  [[claude], '“Claude Code” (agent)'],
  [[claude, you, claude], '“Claude Code” (agent), you'],
  [[{ kind: 'agent', name: 'x” (agent), you “' } as const], '“x" (agent), you "” (agent)'],
])('the names of the proposers %j are written as %s', (askers, words) => {
  expect(proposerNames(askers)).toBe(words);
});

test.each([
  [you, null, 'proposed by you'],
  [claude, null, 'proposed by “Claude Code” (agent)'],
  [you, [you], 'proposed by you'],
  [you, [claude, you], 'proposed by “Claude Code” (agent), you; batched by you'],
])('a proposal of %j with the members of %j is %s', (proposer, members, words) => {
  expect(proposedByWords(proposer, members)).toBe(words);
});

test.each([
  [['svc:read'], 'It may read.'],
  [['svc:write', 'svc:read'], 'It may read and propose changes.'],
  [
    ['offline_access', 'svc:upload', 'svc:read', 'svc:write'],
    'It may read, propose changes, upload pictures and keep scheduled tasks.',
  ],
  [['svc:read', 'svc:\u202Eadmin'], 'It may read and “svc:⟨U+202E⟩admin”.'],
  [['svc:read', 'constructor'], 'It may read and “constructor”.'],
  [[], 'It may do nothing.'],
])('the scopes %j are written as: %s', (scopes, words) => {
  expect(scopesText(scopes)).toBe(words);
});
