import { expect, test } from 'vitest';
import { createEmergencyStopMemory } from '#core/agents/emergency-stop/memory.ts';
import { emergencyStopWords } from '#core/agents/emergency-stop/words.ts';
import { inParts } from '#core/proposals/index.ts';
import { usualFormats } from '#shared/lib/formats.ts';

const pause = { id: 'p1', isNew: true, campaigns: 7, locked: [] };
const all = { kind: 'running' } as const;

test.each([
  ['a pause of the only profile with agents', [], pause, null],
  [
    'agents in other profiles',
    ['Southwind', 'Eastwind'],
    pause,
    'Agents are frozen everywhere. The pause is for “Northwind”; switch to “Southwind” or “Eastwind” to pause there.',
  ],
  [
    'nothing that runs',
    [],
    { ...pause, id: null },
    'Agents are frozen everywhere. Nothing runs in “Northwind”, so there is nothing to pause.',
  ],
  [
    'nothing that runs here, and agents elsewhere',
    ['Southwind'],
    { ...pause, id: null },
    'Agents are frozen everywhere. Nothing runs in “Northwind”, so there is nothing to pause. Campaigns of other profiles keep running: switch to “Southwind” to pause there.',
  ],
  [
    'campaigns with a change under way',
    [],
    { ...pause, locked: [1, 2] },
    'Agents are frozen everywhere. 2 campaigns have a change in progress: a pause of those that run when it settles will be proposed.',
  ],
] as const)('what an emergency stop says besides: %s', (_case, elsewhere, prepared, said) => {
  expect(
    emergencyStopWords({ profile: 'Northwind', elsewhere: [...elsewhere] }, all, prepared, usualFormats),
  ).toBe(said);
});

test.each([
  ['one that is whole', { sinceMs: 1, of: 'p1', cids: [7], ended: ['p1'] }, true],
  ['one that no version stored', { of: 'p1', cids: [7] }, false],
])('what a stop left out is read: %s', (_case, stored, isKnown) => {
  const get = (key: string): string | null =>
    key === 'emergency-stop.left-out.demo' ? JSON.stringify(stored) : null;
  const { leftOut } = createEmergencyStopMemory({ settings: { get, set() {} } });
  expect(leftOut('demo')).toEqual(isKnown ? stored : null);
  expect(leftOut('live')).toBeNull();
});

test('pauses that were remembered with one return at most are known still', () => {
  const kept = new Map([
    [
      'emergency-stop.pauses.demo',
      JSON.stringify([
        { pause: 'p2', resume: null },
        { pause: 'p1', resume: 'r1' },
      ]),
    ],
  ]);
  const memory = createEmergencyStopMemory({
    settings: { get: (key) => kept.get(key) ?? null, set: (key, value) => void kept.set(key, value) },
  });
  memory.addMore('demo', 'p2', 'p3');
  memory.addPause('demo', 'p4');
  expect(memory.pauses('demo')).toEqual([
    { pause: 'p4', more: [], returns: [] },
    { pause: 'p2', more: ['p3'], returns: [] },
    { pause: 'p1', more: [], returns: [{ id: 'r1', leaves: [] }] },
  ]);
});

test('more than one change of status takes are several, in their order', () => {
  const cids = Array.from({ length: 2001 }, (_cid, index) => index);
  const parts = inParts(cids);
  expect(parts.map(({ length }) => length)).toEqual([1000, 1000, 1]);
  expect(parts.flat()).toEqual(cids);
  expect(inParts([])).toEqual([]);
});
