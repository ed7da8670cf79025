import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { statusNames } from '#shared/contract/index.ts';
import type { StatusCode } from '#shared/contract/index.ts';
import { systemClock } from '#core/platform/clock.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { openBackendStore } from '#core/store/backend/index.ts';
import type { BackendStore, CampaignRecord } from '#core/store/backend/index.ts';

const uid = 7;
/** Enough for texts that few, some and many names hold. */
const campaigns = 4_000;
const folder = mkdtempSync(join(tmpdir(), 'countersign-search-'));
const names = new Map(Array.from({ length: campaigns }, (_, at) => [at + 1, nameOf(at + 1)]));

let store: BackendStore;

beforeAll(() => {
  store = openBackendStore({
    file: join(folder, 'backend.sqlite'),
    clock: systemClock,
    logger: silentLogger,
  });
  store.transaction(() => {
    store.write.addMember({
      uid,
      name: 'Owner',
      role: 'member',
      balanceMicros: 0,
      mcpMenu: true,
      modules: [],
    });
    store.write.inBulk(() => {
      for (const cid of names.keys()) store.write.addCampaign(record(cid));
    });
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

/** What a comparison of every name finds, newest first. */
function comparedByHand(text: string, status: StatusCode | null): number[] {
  const wanted = text.normalize('NFC').toLowerCase();
  return [...names]
    .filter(([, name]) => name.normalize('NFC').toLowerCase().includes(wanted))
    .filter(([cid]) => status === null || cid % 5 === status)
    .map(([cid]) => cid)
    .toReversed();
}

function expectSame(text: string, status: StatusCode | null): void {
  const match = { kind: 'text', text } as const;
  const asked = { uid, match, status, types: [], sort: 'cid', order: 'desc', offset: 0, limit: 20 } as const;
  const { rows, total } = store.read.list(asked);
  const expected = comparedByHand(text, status);
  expect({ total, cids: rows.map((row) => (JSON.parse(row) as { cid: number }).cid) }).toEqual({
    total: expected.length,
    cids: expected.slice(0, 20),
  });
}

/** One to six letters of some name, as they are or in the other case. */
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
  fc.constantFrom('push', 'push – ', ' · ', ' | v', 'native', 'v%_*'),
);
const wantedStatus = fc.constantFrom<(StatusCode | null)[]>(null, null, 1);

test('a text finds what a comparison of every name finds', () => {
  fc.assert(fc.property(wantedText, wantedStatus, expectSame), { numRuns: 150 });
});

test('a text finds what a comparison finds after campaigns were renamed', () => {
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
  fc.assert(property, { numRuns: 60 });
});
