import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Effect } from '#core/proposals/operations/operation.ts';
import { netChangesOf, type Step } from '#core/proposals/undo/reversal.ts';
import { diffCampaigns } from '#shared/campaign/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { runs } from '#test/setup/property-runs.ts';

const field = fc.constantFrom('payout', 'status', 'geo', 'constructor');
const value = fc.constantFrom(0, 1, 2, 'DE', ['DE'], null);
const writes = fc.array(
  fc.record({
    cid: fc.constantFrom(1, 2),
    agent: fc.constantFrom('Ada', 'Bob'),
    change: fc.dictionary(field, value, { maxKeys: 3 }) as fc.Arbitrary<JsonObject>,
  }),
  { maxLength: 12 },
);

/** Campaigns to which only agents write, and the steps of these writes. */
function executed(list: { cid: number; agent: string; change: JsonObject }[]) {
  const start: JsonObject = { payout: 1, status: 1, geo: ['FR'] };
  const campaigns = new Map([1, 2].map((cid) => [cid, start]));
  const steps = list.map(({ cid, agent, change }): Step => {
    const before = campaigns.get(cid) ?? {};
    const after = { ...before, ...change };
    campaigns.set(cid, after);
    const changes = diffCampaigns(before, after);
    const side = (which: 'before' | 'after'): JsonObject =>
      Object.fromEntries(
        changes.flatMap(({ field: name, [which]: value }) => (value === undefined ? [] : [[name, value]])),
      );
    const effect: Effect = { cid, name: '', before: side('before'), after: side('after'), context: null };
    return { author: { kind: 'agent', name: agent }, effects: changes.length === 0 ? [] : [effect] };
  });
  return { start, campaigns, steps };
}

test('the net effect of many steps is the difference between the first state and the last', () => {
  fc.assert(
    fc.property(writes, (list) => {
      const { start, campaigns, steps } = executed(list);
      const folded = new Map(netChangesOf(steps).map(({ cid, changes }) => [cid, changes]));
      for (const [cid, now] of campaigns) {
        const reported = (folded.get(cid) ?? []).map(({ field, before, after }) => ({
          field,
          before,
          after,
        }));
        const expected = diffCampaigns(start, now).map(({ field, before, after }) => ({
          field,
          before,
          after,
        }));
        expect(reported).toHaveLength(expected.length);
        expect(reported).toEqual(expect.arrayContaining(expected));
      }
    }),
    runs(300),
  );
});

test('a field counts its own steps and names each of its agents once', () => {
  fc.assert(
    fc.property(writes, (list) => {
      const { steps } = executed(list);
      for (const { cid, changes } of netChangesOf(steps)) {
        for (const { field, steps: count, agents } of changes) {
          const touching = steps.filter(({ effects }) =>
            effects.some((effect) => effect.cid === cid && Object.hasOwn(effect.after, field)),
          );
          expect(count).toBe(touching.length);
          const names = touching.flatMap(({ author }) => (author.kind === 'agent' ? [author.name] : []));
          expect(agents).toEqual([...new Set(names)]);
        }
      }
    }),
    runs(200),
  );
});

/** Writes of one field by an agent, by a person through the app, or without the app. */
const scalarWrites = fc.array(
  fc.record({
    cid: fc.constantFrom(1, 2),
    by: fc.constantFrom('agent', 'agent', 'person', 'elsewhere'),
    field: fc.constantFrom('payout', 'd_revenue', 'constructor'),
    to: fc.constantFrom(0, 1, 2, 3),
  }),
  { maxLength: 16 },
);
type ScalarWrite = Parameters<Parameters<typeof scalarWrites.map>[0]>[0][number];

function stepOf(author: Step['author'], { cid, field, to }: Omit<ScalarWrite, 'by'>, from: number): Step {
  return {
    author,
    effects: [{ cid, name: '', before: { [field]: from }, after: { [field]: to }, context: null }],
  };
}

/**
 * Returns the steps that the app recorded, and a simple model of the net change by agents: from and to, by campaign and
 * field.
 */
function withPeople(list: readonly ScalarWrite[]) {
  const now = new Map<string, number>();
  const left = new Map<string, { from: number; to: number }>();
  const steps = list.flatMap((write): Step[] => {
    const { cid, by, field, to } = write;
    const key = `${cid} ${field}`;
    const from = now.get(key) ?? 1;
    now.set(key, to);
    if (from === to || by === 'elsewhere') return [];
    const known = left.get(key);
    if (by === 'person') left.delete(key);
    else left.set(key, { from: known?.to === from ? known.from : from, to });
    return [stepOf(by === 'person' ? { kind: 'person' } : { kind: 'agent', name: 'Ada' }, write, from)];
  });
  return { steps, left: new Map([...left].filter(([, { from, to }]) => from !== to)) };
}

function reported(steps: readonly Step[]): Map<string, { from: number; to: number }> {
  return new Map(
    netChangesOf(steps).flatMap(({ cid, changes }) =>
      changes.map(({ field: name, before, after }) => [
        `${cid} ${name}`,
        { from: Number(before), to: Number(after) },
      ]),
    ),
  );
}

test('the net effect contains the agents’ changes that no person has overwritten', () => {
  fc.assert(
    fc.property(scalarWrites, (list) => {
      const { steps, left } = withPeople(list);
      expect(reported(steps)).toEqual(left);
    }),
    runs(500),
  );
});

test('after a reversal, the net effect keeps only the fields whose reversal was not stored', () => {
  fc.assert(
    fc.property(scalarWrites, fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }), (list, stored) => {
      const { steps } = withPeople(list);
      const before = [...reported(steps)];
      const isStored = (at: number): boolean => stored[at] === true;
      const reversals = before.flatMap(([key, { from, to }], at) => {
        const [cid, name = ''] = key.split(' ');
        return isStored(at)
          ? [stepOf({ kind: 'person' }, { cid: Number(cid), field: name, to: from } as ScalarWrite, to)]
          : [];
      });
      expect([...reported([...steps, ...reversals])]).toEqual(before.filter((_, at) => !isStored(at)));
    }),
    runs(300),
  );
});

test.each([
  ['ends another agent’s change when it restores the old value', 1, 0],
  ['keeps another agent’s change when it sets a third value', 3, 1],
])('a change by an agent outside the report %s', (_, to, count) => {
  const write = { cid: 1, field: 'payout', to: 2 } as const;
  const steps = [
    stepOf({ kind: 'agent', name: 'Ada' }, write, 1),
    stepOf({ kind: 'other agent' }, { ...write, to: to as 1 | 3 }, 2),
  ];
  expect(netChangesOf(steps)).toHaveLength(count);
});
