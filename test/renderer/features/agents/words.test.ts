import {
  byAccess,
  connectedWords,
  endWords,
  inOrder,
  reachWords,
  repeatedRefreshesWords,
  tallyWords,
  toolProfiles,
  treatWords,
} from '#renderer/features/agents/agent-words.ts';
import { expect, test } from 'vitest';
import { exampleAgent, exampleTool } from '../../support/agents.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

test.each([
  [
    { asked: 0, approved: 0, denied: 0, expired: 0, withdrawn: 0, outdated: 0, waiting: 0 },
    'no requests yet',
  ],
  [
    { asked: 3, approved: 2, denied: 1, expired: 0, withdrawn: 0, outdated: 0, waiting: 0 },
    '3 requested · 2 approved · 1 denied',
  ],
  [
    { asked: 2, approved: 0, denied: 2, expired: 0, withdrawn: 0, outdated: 0, waiting: 0 },
    '2 requested · 2 denied',
  ],
  [
    { asked: 8, approved: 2, denied: 1, expired: 1, withdrawn: 2, outdated: 1, waiting: 1 },
    '8 requested · 2 approved · 1 denied · 1 expired · 2 withdrawn · 1 outdated · 1 waiting',
  ],
])('the counts of an agent’s proposals in words (%#)', (tally, words) => {
  expect(tallyWords(tally)).toBe(words);
});

test('repeated token refreshes are counted, with the time of the last refresh', () => {
  const lastMs = new Date(2026, 10, 20, 14, 2).getTime();
  expect(repeatedRefreshesWords({ count: 3, lastMs }, lastMs + 60_000, defaultFormats)).toBe(
    'Repeated refreshes: 3, last 14:02',
  );
});

test('agents without access are listed separately, with the reason', () => {
  const gone = exampleAgent({ id: 'agent-2', connected: false, ended: { atMs: 5, because: 'replaced' } });
  const { admitted, ended } = byAccess([exampleAgent(), gone]);
  expect([admitted, ended].map((list) => list.map(({ id }) => id))).toEqual([['agent-1'], ['agent-2']]);
  expect(endWords({ atMs: 5, because: 'replaced' })).toBe('it was admitted again');
  expect(connectedWords([exampleAgent(), gone])).toBe('1 connected');
  expect(connectedWords([gone])).toBeNull();
});

test.each([
  [exampleTool(), 'Read-only'],
  [exampleTool({ treatAs: 'prepare' }), 'Prepare only'],
  [exampleTool({ treatAs: 'write' }), 'Waits for you'],
  [exampleTool({ state: 'changed' }), 'Changed: every call is held'],
  [exampleTool({ state: 'new', hash: null }), 'New: not offered to agents'],
])('the label for what happens to calls of a tool (%#)', (tool, label) => {
  expect(treatWords(tool).label).toBe(label);
});

test('tools that were not reviewed come first, then by name', () => {
  const tools = [
    exampleTool({ name: 'b' }),
    exampleTool({ name: 'z', state: 'changed' }),
    exampleTool({ name: 'a' }),
  ];
  expect(inOrder(tools).map(({ name }) => name)).toEqual(['z', 'a', 'b']);
});

test('tools are shown for the active profile and for the profile of every agent with access', () => {
  const active = { id: 'demo', name: 'Northwind Media', kind: 'demo', account: '1', zone: 'UTC' } as const;
  const live = { id: 'live-1', name: 'Meridian', kind: 'live', account: '2', zone: 'UTC' } as const;
  const agents = [
    exampleAgent({ profile: live }),
    exampleAgent({ profile: { ...live, id: 'live-2' }, ended: { atMs: 1, because: 'revoked' } }),
    exampleAgent({ profile: null }),
  ];
  expect(toolProfiles(active, agents).map(({ id }) => id)).toEqual(['demo', 'live-1']);
  expect(toolProfiles(undefined, [])).toEqual([]);
});

test('the emergency stop names the profile that it pauses, and the other profiles with agents', () => {
  expect(reachWords({ profile: 'Northwind', elsewhere: [] })).toBe(
    'Agents are frozen everywhere; the pause is for “Northwind” alone.',
  );
  expect(reachWords({ profile: 'Northwind', elsewhere: ['Southwind', 'Eastwind'] })).toBe(
    'Agents are frozen everywhere; the pause is for “Northwind” alone. “Southwind” and “Eastwind” have agents too: switch there to pause their campaigns.',
  );
});
