import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statusNames, type StatusCode } from '#shared/contract/index.ts';
import { systemClock } from '#core/platform/clock.ts';
import { silentLogger } from '#core/platform/logger.ts';
import {
  openBackendStore,
  type BackendStore,
  type CampaignListQuery,
  type CampaignRecord,
} from '#core/store/backend/index.ts';
import { connect } from '#core/store/sqlite/database.ts';
import { runs } from '#test/setup/property-runs.ts';

const uid = 7;
const foreignUid = 8;
/** Enough campaigns for texts that few, some and many names contain. */
const campaigns = 4_000;
const folder = mkdtempSync(join(tmpdir(), 'countersign-list-'));
const names = new Map(Array.from({ length: campaigns }, (_, at) => [at + 1, nameOf(at + 1)]));

let store: BackendStore;

beforeAll(() => {
  store = openBackendStore({
    file: join(folder, 'backend.sqlite'),
    clock: systemClock,
    logger: silentLogger,
  });
  const member = { name: 'Owner', role: 'member', balanceMicros: 0, mcpMenu: true, modules: [] } as const;
  store.transaction(() => {
    for (const owner of [uid, foreignUid]) store.write.addMember({ ...member, uid: owner });
    for (const cid of names.keys()) store.write.addCampaign(record(cid));
    // Campaigns of another user with the same names.
    for (const cid of names.keys()) {
      const { row, ...rest } = record(cid);
      const foreign = { ...row, cid: cid + campaigns, uid: foreignUid };
      store.write.addCampaign({ ...rest, row: foreign });
    }
  });
});
afterAll(async () => {
  await store.dispose();
  rmSync(folder, { recursive: true });
});

function nameOf(cid: number): string {
  const place = ['DE', 'Köln', 'A\u0308O\u0308', '日本 東京', 'İzmir'][cid % 5];
  const format = cid % 8 === 0 ? 'Native' : 'Push';
  return `${place} · ${format} – ${cid.toString(36)} | ${cid % 13 === 0 ? '"17+" 😀 OR' : 'v%_*'}`;
}

function record(cid: number): CampaignRecord {
  const status = (cid % 5) as StatusCode;
  const row = {
    cid,
    uid,
    type_name: 'Push',
    name: names.get(cid) ?? '',
    website: '',
    geo: ['DE'],
    payout: 0.01,
    d_revenue: 0,
    t_revenue: 0,
    daily_budget: 0,
    total_budget: 0,
    bid_control_count: 0,
    status,
    status_name: statusNames[status],
  };
  return { row, type: cid % 3, payload: { cid } };
}

const folded = new Map<string, string>();

function foldedOf(name: string): string {
  const known = folded.get(name) ?? name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  folded.set(name, known);
  return known;
}

/** Finds campaigns by a comparison with every name, newest first. */
function comparedByHand(text: string, status: StatusCode | null): number[] {
  const wanted = foldedOf(text);
  return [...names]
    .filter(([, name]) => foldedOf(name).includes(wanted))
    .filter(([cid]) => status === null || cid % 5 === status)
    .map(([cid]) => cid)
    .toReversed();
}

const cidsOf = (rows: readonly string[]) => rows.map((row) => (JSON.parse(row) as { cid: number }).cid);

const query = (changes: Partial<CampaignListQuery>): CampaignListQuery => ({
  uid,
  match: { kind: 'all' },
  status: null,
  types: [],
  sort: 'cid',
  order: 'desc',
  offset: 0,
  limit: 20,
  ...changes,
});

function expectSame(text: string, status: StatusCode | null): void {
  const newestFirst = comparedByHand(text, status);
  const pages = [
    [0, 'desc'],
    [0, 'asc'],
    [Math.floor(newestFirst.length / 2), 'asc'],
    [Math.max(newestFirst.length - 7, 0), 'desc'],
  ] as const;
  for (const [offset, order] of pages) {
    const { rows, total } = store.read.list(query({ match: { kind: 'text', text }, status, offset, order }));
    const inOrder = order === 'desc' ? newestFirst : newestFirst.toReversed();
    expect({ total, cids: cidsOf(rows) }).toEqual({
      total: inOrder.length,
      cids: inOrder.slice(offset, offset + 20),
    });
  }
}

test.each<[text: string, name: RegExp]>([
  ['izmir', /^İzmir/u],
  ['IZMIR', /^İzmir/u],
  ['ızmır', /^İzmir/u],
  ['koln', /^Köln/u],
  ['KO\u0308LN', /^Köln/u],
  ['äö ·', /^A\u0308O\u0308/u],
  ['ao ·', /^A\u0308O\u0308/u],
])('%s is found in a name in any case and with any accents', (text, name) => {
  const { total } = store.read.list(query({ match: { kind: 'text', text } }));
  expect(total).toBe([...names.values()].filter((one) => name.test(one)).length);
});

test.each(['\u0301', '\u0308\u0301'])('a search for the accent %j alone finds nothing', (text) => {
  expect(store.read.list(query({ match: { kind: 'text', text } })).total).toBe(0);
});

const partOfAName = fc
  .record({
    cid: fc.integer({ min: 1, max: campaigns }),
    at: fc.nat(30),
    length: fc.integer({ min: 1, max: 6 }),
    upper: fc.boolean(),
  })
  .map(({ cid, at, length, upper }) => {
    const points = Array.from(nameOf(cid).normalize('NFC'));
    const from = Math.min(at, points.length - length);
    const part = points.slice(from, from + length).join('');
    return upper ? part.toUpperCase() : part;
  });
const wantedText = fc.oneof(
  partOfAName,
  fc.string({ minLength: 1, maxLength: 6, unit: 'grapheme' }),
  fc.constantFrom('push', 'push – ', ' · ', ' | v', 'native', 'v%_*', '"""', 'push OR native', 'a\0b'),
);
const wantedStatus = fc.constantFrom<(StatusCode | null)[]>(null, null, 1);

test('a text search finds the same as comparing every name', () => {
  fc.assert(fc.property(wantedText, wantedStatus, expectSame), runs(150));
});

test('a text search finds the same as a comparison after campaigns were renamed', () => {
  const renaming = fc.record({ cid: fc.integer({ min: 1, max: campaigns }), from: wantedText });
  const rename = ({ cid, from }: { cid: number; from: string }) => {
    names.set(cid, `${from} ${cid.toString(36)}`);
    store.transaction(() => store.write.replaceCampaign(record(cid)));
  };
  const property = fc.property(renaming, wantedText, wantedStatus, (change, text, status) => {
    rename(change);
    expectSame(change.from, status);
    expectSame(text, status);
  });
  fc.assert(property, runs(60));
});

describe('a written campaign', () => {
  const named = (cid: number, name: string): CampaignRecord => {
    const { row, ...rest } = record(cid);
    return { ...rest, row: { ...row, name } };
  };
  const firstByName = () => cidsOf(store.read.list(query({ sort: 'name', order: 'asc', limit: 1 })).rows);
  const setName = (cid: number, name: string) => {
    names.set(cid, name);
    store.write.replaceCampaign(named(cid, name));
  };

  test('is at its new place in the list immediately, even if it is new', () => {
    store.transaction(() => setName(900, '\0\0first'));
    expect(firstByName()).toEqual([900]);
    const { total } = store.read.list(query({}));
    const added = campaigns * 2 + 1;
    store.transaction(() => store.write.addCampaign(named(added, '\0\0\0before it')));
    names.set(added, '\0\0\0before it');
    expect(firstByName()).toEqual([added]);
    expect(store.read.list(query({})).total).toBe(total + 1);
  });

  test('is visible inside its transaction, and not after a rollback', () => {
    const before = firstByName();
    const { total } = store.read.list(query({}));
    const failing = () =>
      store.transaction(() => {
        store.write.replaceCampaign(named(901, '\0\0\0\0renamed'));
        store.write.addCampaign(named(campaigns * 2 + 2, '\0\0\0\0\0added'));
        expect(firstByName()).toEqual([campaigns * 2 + 2]);
        throw new Error('rolled back');
      });
    expect(failing).toThrow('rolled back');
    expect(firstByName()).toEqual(before);
    expect(store.read.list(query({})).total).toBe(total);
  });

  test('is visible when another connection wrote it', () => {
    const { total } = store.read.list(query({ status: 3 }));
    const other = connect(join(folder, 'backend.sqlite'));
    other.exec("UPDATE campaign SET row = json_set(row, '$.status', 2) WHERE row ->> '$.status' = 3");
    other.close();
    expect(total).toBeGreaterThan(100);
    expect(store.read.list(query({ status: 3 })).total).toBe(0);
  });

  test('belongs to the owner that another connection gave it', () => {
    const all = query({ status: 1 });
    const [text = '', ...others] = store.read.list(all).rows;
    const { cid, uid } = JSON.parse(text) as { cid: number; uid: number };
    const other = connect(join(folder, 'backend.sqlite'));
    other.prepare('UPDATE campaign SET uid = ? WHERE cid = ?').run(uid + 1, cid);
    expect(others.length).toBeGreaterThan(0);
    expect(store.read.list(all).rows).not.toContain(text);
    other.prepare('UPDATE campaign SET uid = ? WHERE cid = ?').run(uid, cid);
    other.close();
    expect(store.read.list(all).rows).toContain(text);
  });

  test('is sorted by code points, even beyond the first plane', () => {
    const cids = [910, 911, 912, 913];
    const inOrder = ['\ud7ff', '\uff21', '\ufffd', '\u{1f600}'];
    store.transaction(() => cids.forEach((cid, at) => setName(cid, `${inOrder[3 - at]}unsorted`)));
    const match = { kind: 'text', text: 'unsorted' } as const;
    const { rows } = store.read.list(query({ match, sort: 'name', order: 'asc' }));
    expect(cidsOf(rows)).toEqual(cids.toReversed());
  });
});
