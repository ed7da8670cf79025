import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { oddValues } from './fuzz/odd-values.ts';
import { startBackend } from './open-backend.ts';
import type { RunningBackend } from './open-backend.ts';
import { runs } from '#test/setup/property-runs.ts';

let service: RunningBackend;
let campaigns: JsonObject[];

beforeAll(async () => {
  service = await startBackend({ campaigns: 60 });
  const { data } = await service.list('?perPage=60');
  campaigns = await Promise.all(data.map(({ cid }) => service.campaign(cid)));
});
afterAll(() => service.dispose());

const stored = async (cid: number): Promise<unknown> => [
  await service.list('?perPage=60&sort=cid'),
  await service.campaign(cid),
];

const odd = fc.oneof(fc.constantFrom<unknown>(...oddValues.flat()), fc.jsonValue());

const request = (method: string, path: string, body: string) =>
  service.send(method, path, { body, headers: { 'content-type': 'application/json' } });

describe('no invalid request body', () => {
  test('stops the service or changes anything when refused: a campaign with replaced, removed or added fields', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(59),
        fc.array(fc.tuple(fc.nat(200), odd), { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat(200), { maxLength: 2 }),
        fc.dictionary(fc.string(), odd, { maxKeys: 1 }),
        async (which, replaced, removed, added) => {
          const campaign = campaigns[which] ?? {};
          const keys = Object.keys(campaign);
          const keyAt = (at: number) => keys[at % keys.length] ?? '';
          const payload: Record<string, unknown> = { ...campaign, ...added };
          for (const [at, value] of replaced) payload[keyAt(at)] = value;
          for (const at of removed) delete payload[keyAt(at)];
          const cid = Number(campaign['cid']);
          const before = await stored(cid);
          const answer = await request('PUT', `/login/campaigns/${cid}`, JSON.stringify(payload));
          expect([200, 400, 402, 403, 422]).toContain(answer.status);
          if (answer.status === 200) campaigns[which] = await service.campaign(cid);
          else expect(await stored(cid)).toEqual(before);
        },
      ),
      runs(700),
    );
  });

  test('stops the service or changes anything when refused: any body of a change of status', async () => {
    const body = fc.oneof(
      odd,
      fc.record({
        ids: fc.oneof(odd, fc.array(fc.oneof(fc.integer(), odd))),
        status: fc.oneof(fc.integer(), odd),
      }),
    );
    await fc.assert(
      fc.asyncProperty(body, async (value) => {
        const before = await service.list('?perPage=60&sort=cid');
        const answer = await request('PUT', '/login/campaigns/update-status', JSON.stringify(value));
        expect([400, 404, 422]).toContain(answer.status);
        expect(await service.list('?perPage=60&sort=cid')).toEqual(before);
      }),
      runs(400),
    );
  });

  test('is counted as a failure of the service', () => {
    expect(service.backend.requestLog().filter(({ status }) => status >= 500)).toEqual([]);
  });
});
