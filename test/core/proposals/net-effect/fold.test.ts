import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Effect } from '#core/proposals/effect.ts';
import { foldSteps, type Step } from '#core/proposals/net-effect/fold.ts';
import { diffCampaigns } from '#shared/campaign/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

const field = fc.constantFrom('payout', 'status', 'geo', 'constructor');
const value = fc.constantFrom(0, 1, 2, 'DE', ['DE'], null);
const writes = fc.array(
  fc.record({
    cid: fc.constantFrom(1, 2),
    agent: fc.constantFrom('Ada', 'Bob'),
    wish: fc.dictionary(field, value, { maxKeys: 3 }) as fc.Arbitrary<JsonObject>,
  }),
  { maxLength: 12 },
);

/** Campaigns that nobody but agents writes to, and the steps that it took. */
function carriedOut(list: { cid: number; agent: string; wish: JsonObject }[]) {
  const start: JsonObject = { payout: 1, status: 1, geo: ['FR'] };
  const campaigns = new Map([1, 2].map((cid) => [cid, start]));
  const steps = list.map(({ cid, agent, wish }): Step => {
    const before = campaigns.get(cid) ?? {};
    const after = { ...before, ...wish };
    campaigns.set(cid, after);
    const changes = diffCampaigns(before, after);
    const side = (which: 'before' | 'after'): JsonObject =>
      Object.fromEntries(
        changes.flatMap(({ field: name, [which]: value }) => (value === undefined ? [] : [[name, value]])),
      );
    const effect: Effect = { cid, name: '', before: side('before'), after: side('after'), context: null };
    return { agent, effects: changes.length === 0 ? [] : [effect] };
  });
  return { start, campaigns, steps };
}

test('what many steps come to is the difference between the first state and the last, and nothing else', () => {
  fc.assert(
    fc.property(writes, (list) => {
      const { start, campaigns, steps } = carriedOut(list);
      const folded = new Map(foldSteps(steps).map(({ cid, changes }) => [cid, changes]));
      for (const [cid, now] of campaigns) {
        const told = (folded.get(cid) ?? []).map(({ field, before, after }) => ({ field, before, after }));
        const expected = diffCampaigns(start, now).map(({ field, before, after }) => ({
          field,
          before,
          after,
        }));
        expect(told).toHaveLength(expected.length);
        expect(told).toEqual(expect.arrayContaining(expected));
      }
    }),
    { numRuns: 300 },
  );
});

test('a field counts its own steps and names each of its agents once', () => {
  fc.assert(
    fc.property(writes, (list) => {
      const { steps } = carriedOut(list);
      for (const { cid, changes } of foldSteps(steps)) {
        for (const { field, steps: count, agents } of changes) {
          const touching = steps.filter(({ effects }) =>
            effects.some((effect) => effect.cid === cid && Object.hasOwn(effect.after, field)),
          );
          expect(count).toBe(touching.length);
          expect(agents).toEqual([...new Set(touching.map(({ agent }) => agent))]);
        }
      }
    }),
    { numRuns: 200 },
  );
});
