import { expect, test } from 'vitest';
import { createEarlierPauses } from '#core/agents/emergency-stop/earlier-pauses.ts';
import { emergencyStopWords } from '#core/agents/emergency-stop/emergency-stop.ts';
import { inParts } from '#core/proposals/index.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const pause = { id: 'p1', isNew: true, campaigns: 7, locked: [] };
const all = { kind: 'running' } as const;

test.each([
  ['nothing more, if the only profile with agents is paused', [], pause, null],
  [
    'agents in other profiles',
    ['Southwind', 'Eastwind'],
    pause,
    'Agents are frozen everywhere. The pause is for “Northwind”; switch to “Southwind” or “Eastwind” to pause there.',
  ],
  [
    'that nothing runs',
    [],
    { ...pause, id: null },
    'Agents are frozen everywhere. Nothing runs in “Northwind”, so there is nothing to pause.',
  ],
  [
    'that nothing runs here, and agents in other profiles',
    ['Southwind'],
    { ...pause, id: null },
    'Agents are frozen everywhere. Nothing runs in “Northwind”, so there is nothing to pause. Campaigns of other profiles keep running: switch to “Southwind” to pause there.',
  ],
  [
    'campaigns with an unfinished change',
    [],
    { ...pause, locked: [1, 2] },
    'Agents are frozen everywhere. 2 campaigns have a change in progress: a pause of those that run when it settles will be proposed.',
  ],
] as const)('an emergency stop also mentions: %s', (_case, elsewhere, prepared, said) => {
  expect(
    emergencyStopWords({ profile: 'Northwind', elsewhere: [...elsewhere] }, all, prepared, defaultFormats),
  ).toBe(said);
});

/** Returns the memory of earlier pauses, with settings and without any proposal. */
function earlierPauses(kept = new Map<string, string>()) {
  return createEarlierPauses({
    settings: { get: (key) => kept.get(key) ?? null, set: (key, value) => void kept.set(key, value) },
    proposals: { find: () => null, findListed: () => null },
  });
}

test.each([
  ['an intact list', { sinceMs: 1, of: 'p1', cids: [7], ended: ['p1'] }, true],
  ['no list in a format that no version stored', { of: 'p1', cids: [7] }, false],
])('a stored list of skipped campaigns is read: %s', (_case, stored, isKnown) => {
  const earlier = earlierPauses(new Map([['emergency-stop.left-out.demo', JSON.stringify(stored)]]));
  expect(earlier.skipped('demo')).toEqual(isKnown ? stored : null);
  expect(earlier.skipped('live')).toBeNull();
});

test('a follow-up is stored with its pause, or alone if its pause is unknown, and the newest pause is first', () => {
  const earlier = earlierPauses();
  earlier.add('demo', 'p1');
  earlier.add('demo', 'p2');
  earlier.addFollowUp('demo', 'p2', 'p3');
  earlier.addReturn('demo', 'p2', { id: 'r1', leaves: [7] });
  expect(earlier.newest('demo')).toEqual({ pause: 'p2', more: ['p3'], returns: [{ id: 'r1', leaves: [7] }] });
  earlier.addFollowUp('demo', 'gone', 'p4');
  expect(earlier.newest('demo')).toEqual({ pause: 'p4', more: [], returns: [] });
  expect(earlier.neededOf('demo')).toEqual(new Set(['p1', 'p2', 'p3', 'r1', 'p4']));
});

test('a change of status of more campaigns than one write may contain is split into several writes in order', () => {
  const cids = Array.from({ length: 2001 }, (_cid, index) => index);
  const parts = inParts(cids);
  expect(parts.map(({ length }) => length)).toEqual([1000, 1000, 1]);
  expect(parts.flat()).toEqual(cids);
  expect(inParts([])).toEqual([]);
});
