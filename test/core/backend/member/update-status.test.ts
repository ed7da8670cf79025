import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBackend, type RunningBackend } from '../open-backend.ts';

let service: RunningBackend;
let foreign: number;
const mine = new Map<number, number[]>();

beforeAll(async () => {
  service = await startBackend();
  for (const status of [0, 1, 2, 3, 4]) {
    mine.set(
      status,
      (await service.list(`?status=${status}&perPage=200`)).data.map(({ cid }) => cid),
    );
  }
  const token = service.credentials.accounts.neighbour.memberToken;
  foreign = (await service.list('', token)).data[0]?.cid ?? 0;
});
afterAll(() => service.dispose());

const some = (status: number, count: number, from = 0) => (mine.get(status) ?? []).slice(from, from + count);
const statusOf = async (cid: number) => (await service.campaign(cid))['status'];

describe('a change of status', () => {
  test('applies to twelve campaigns at once, in the list, the campaign and the totals', async () => {
    const ids = some(3, 12);
    const before = await service.list('?status=2&perPage=1');
    const answer = await service.setStatus({ ids: [...ids, ...ids], status: 2 });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: 'success', data: { updated: ids, status: 2 } });
    expect((await service.list('?status=2&perPage=1')).total).toBe(before.total + 12);
    for (const cid of ids) {
      const campaign = await service.campaign(cid);
      expect(campaign['status']).toBe(2);
      const [row] = (await service.list(`?query=${cid}`)).data;
      expect(row).toMatchObject({ status: 2, status_name: 'Suspended' });
    }
  });

  test('changes nothing but the status', async () => {
    const [cid = 0] = some(3, 1, 20);
    const before = await service.campaign(cid);
    expect((await service.setStatus({ ids: [cid], status: 4 })).status).toBe(200);
    expect(await service.campaign(cid)).toEqual({ ...before, status: 4 });
    expect((await service.put(cid, { ...before, status: 4 })).status).toBe(200);
  });

  test('of twelve campaigns changes nothing if one is foreign, and names it like a missing campaign', async () => {
    const ids = some(1, 11);
    const absent = 999_999;
    const [withForeign, withAbsent] = [foreign, absent].map(async (cid) => {
      const answer = await service.setStatus({ ids: [...ids, cid], status: 3 });
      expect(answer.status).toBe(404);
      return answer.text.replaceAll(String(cid), 'CID');
    });
    expect(await withForeign).toBe(await withAbsent);
    expect(await withForeign).toContain('CID');
    for (const cid of ids) expect(await statusOf(cid)).toBe(1);
  });

  const refused: [string, () => unknown, number, string[] | undefined][] = [
    ['Pending as the target', () => ({ ids: some(3, 1, 30), status: 0 }), 400, undefined],
    [
      'approving a pending campaign',
      () => ({ ids: [...some(3, 1, 30), ...some(0, 1)], status: 1 }),
      400,
      undefined,
    ],
    ['scheduling a pending campaign', () => ({ ids: some(0, 1), status: 4 }), 400, undefined],
    ['no ids', () => ({ status: 3 }), 422, ['ids']],
    ['an empty list', () => ({ ids: [], status: 3 }), 422, ['ids']],
    ['ids that are no list', () => ({ ids: 104201, status: 3 }), 422, ['ids']],
    [
      'ids that are not numbers',
      () => ({ ids: ['104201', 1.5, null], status: 3 }),
      422,
      ['ids[0]', 'ids[1]', 'ids[2]'],
    ],
    [
      'more than a thousand ids',
      () => ({ ids: Array.from({ length: 1001 }, (_, at) => at), status: 3 }),
      422,
      ['ids'],
    ],
    ['no status', () => ({ ids: some(3, 1, 30) }), 422, ['status']],
    ['status 5', () => ({ ids: some(3, 1, 30), status: 5 }), 422, ['status']],
    ['status -1', () => ({ ids: some(3, 1, 30), status: -1 }), 422, ['status']],
    ['a status in words', () => ({ ids: some(3, 1, 30), status: 'active' }), 422, ['status']],
    ['a key more', () => ({ ids: some(3, 1, 30), status: 2, uid: 1 }), 422, ['uid']],
    ['several errors at once', () => ({ ids: [], status: 9 }), 422, ['ids', 'status']],
  ];
  test.each(refused)('is refused and changes nothing: %s', async (_name, body, status, fields) => {
    const totals = async () =>
      Promise.all(
        [0, 1, 2, 3, 4].map(async (code) => (await service.list(`?status=${code}&perPage=1`)).total),
      );
    const before = await totals();
    const answer = await service.setStatus(body());
    expect(answer.status).toBe(status);
    expect(answer.body.errors?.map(({ field }) => field)).toEqual(fields);
    expect(await totals()).toEqual(before);
  });

  test('can pause or suspend a pending campaign', async () => {
    const [one = 0, two = 0] = some(0, 2, 2);
    expect((await service.setStatus({ ids: [one], status: 3 })).status).toBe(200);
    expect((await service.setStatus({ ids: [two], status: 2 })).status).toBe(200);
  });

  test('to Active needs a balance of one dollar', async () => {
    const { memberToken } = service.credentials.accounts.withoutBalance;
    const ids = (await service.list('?status=3', memberToken)).data.map(({ cid }) => cid);
    const answer = await service.setStatus({ ids, status: 1 }, memberToken);
    expect([answer.status, answer.body.code]).toEqual([402, 'insufficient_balance']);
    expect((await service.setStatus({ ids, status: 2 }, memberToken)).status).toBe(200);
  });
});
