import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sortColumns, statusNames } from '#shared/contract/index.ts';
import type { StatusCode } from '#shared/contract/index.ts';
import { systemClock } from '#core/platform/clock.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { createCampaignList } from '#core/store/backend/campaign-list.ts';
import type { CampaignList } from '#core/store/backend/campaign-list.ts';
import { openBackendStore } from '#core/store/backend/index.ts';
import type { BackendStore, CampaignListQuery } from '#core/store/backend/index.ts';
import { connectReadOnly } from '#core/store/sqlite/index.ts';
import type { Database } from '#core/store/sqlite/index.ts';

const campaigns = 8_000;
const uid = 7;
const folder = mkdtempSync(join(tmpdir(), 'countersign-plans-'));
const file = join(folder, 'backend.sqlite');

let store: BackendStore;
let db: Database;
let list: CampaignList;

beforeAll(() => {
  store = openBackendStore({ file, clock: systemClock, logger: silentLogger });
  const member = { role: 'member', balanceMicros: 0, mcpMenu: true, modules: [] } as const;
  const addCampaigns = (): void => {
    for (const owner of [uid, uid + 1]) {
      store.write.addMember({ ...member, uid: owner, name: `Owner ${owner}` });
      for (let at = 1; at <= campaigns; at += 1)
        store.write.addCampaign(record(owner, (owner - uid) * campaigns + at));
    }
  };
  store.transaction(() => store.write.inBulk(addCampaigns));
  db = connectReadOnly(file);
  list = createCampaignList(db);
});
afterAll(async () => {
  db.close();
  await store.dispose();
  rmSync(folder, { recursive: true });
});

function record(owner: number, cid: number) {
  const status = (cid % 5) as StatusCode;
  const row = {
    cid,
    uid: owner,
    type_name: `Type ${cid % 3}`,
    name: `${cid % 2 === 0 ? 'Push' : 'Native'} campaign ${cid.toString(36)} ÄÖ ${cid % 400 === 0 ? 'rare bird' : ''}`,
    website: '',
    geo: ['DE'],
    payout: (cid % 97) / 100,
    d_revenue: cid % 11,
    t_revenue: cid % 13,
    daily_budget: cid % 11,
    total_budget: cid % 13,
    bid_control_count: cid % 4,
    status,
    status_name: statusNames[status],
  };
  return { row, type: cid % 3, payload: { cid } };
}

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
const text = (wanted: string): Partial<CampaignListQuery> => ({ match: { kind: 'text', text: wanted } });

/** The plan of every statement that a query runs, line by line. */
function plansOf(asked: CampaignListQuery): string[] {
  const prepared = new Set<string>();
  const listening = new Proxy(db, {
    get(target, property) {
      if (property !== 'prepare') return Reflect.get(target, property, target);
      return (sql: string) => {
        prepared.add(sql);
        return target.prepare(sql);
      };
    },
  });
  createCampaignList(listening).read(asked);
  return [...prepared].flatMap((sql) => {
    const bound = Array.from({ length: sql.split('?').length - 1 }, () => 1);
    const lines = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...bound) as { detail: string }[];
    return lines.map(({ detail }) => detail);
  });
}

describe('how the list is found', () => {
  /** Each matches more than a few, as the filters of a large account do. */
  const many: Partial<CampaignListQuery>[] = [
    {},
    { types: [0, 2] },
    text('push'),
    { ...text('push'), types: [0, 1, 2] },
  ];
  test.each(sortColumns)('many rows sorted by %s: one index is walked and nothing is sorted', (sort) => {
    for (const changes of many) {
      const plans = plansOf(query({ sort, offset: 30, ...changes }));
      expect(plans.filter((line) => /^SCAN campaign( |$)/.test(line))).toEqual([]);
      expect(plans.filter((line) => line.includes('TEMP B-TREE'))).toEqual([]);
    }
  });

  const asked: [string, Partial<CampaignListQuery>, RegExp][] = [
    ['the total of everything', {}, /SEARCH campaign_count USING PRIMARY KEY \(uid=\?\)/],
    ['a total by status', { status: 1 }, /SEARCH campaign_count USING PRIMARY KEY \(uid=\? AND status=\?\)/],
    ['an exact id', { match: { kind: 'cid', cid: 4 } }, /SEARCH campaign USING INTEGER PRIMARY KEY/],
    [
      'few of one status',
      { status: 1, types: [1], sort: 'payout' },
      /USING INDEX campaign_by_status \(uid=\? AND status=\?/,
    ],
    ['few of one type', { types: [1], sort: 'payout' }, /USING INDEX campaign_by_type \(uid=\? AND type=\?/],
    ['a rare text', text('rare bird'), /SCAN campaign_name VIRTUAL TABLE/],
    ['a common text', text('push campaign'), /SCAN campaign_name VIRTUAL TABLE/],
    ['two letters', text('äö'), /USING (COVERING )?INDEX campaign_by_name_folded \(uid=\?\)/],
  ];
  test.each(asked)('%s comes from its index', (_name, changes, plan) => {
    const plans = plansOf(query(changes));
    expect(plans.some((line) => plan.test(line))).toBe(true);
    expect(plans.filter((line) => /^SCAN campaign( |$)/.test(line))).toEqual([]);
  });

  const same: [string, Partial<CampaignListQuery>, (name: string, status: number) => boolean][] = [
    ['common', text('PUSH'), (name) => name.includes('push')],
    ['rare', text('Rare Bird'), (name) => name.includes('rare bird')],
    ['composed differently', text('A\u0308O\u0308'), (name) => name.includes('äö')],
    [
      'common with a status',
      { ...text('push'), status: 2 },
      (name, status) => name.includes('push') && status === 2,
    ],
    ['short', text('z1'), (name) => name.includes('z1')],
    ['made of quotes', text('"""'), () => false],
    ['of an operator', text('push OR native'), () => false],
  ];
  test.each(same)('a %s text finds what a comparison of every name finds', (_name, changes, matches) => {
    const expected = Array.from({ length: campaigns }, (_, at) => record(uid, at + 1).row)
      .filter(({ name, status }) => matches(name.toLowerCase(), status))
      .map(({ cid }) => cid);
    for (const [offset, order] of [
      [0, 'asc'],
      [Math.floor(expected.length / 2), 'asc'],
      [Math.max(expected.length - 7, 0), 'desc'],
    ] as const) {
      const page = list.read(query({ ...changes, offset, order }));
      const inOrder = order === 'asc' ? expected : expected.toReversed();
      expect(page.total).toBe(expected.length);
      expect(page.rows.map((row) => (JSON.parse(row) as { cid: number }).cid)).toEqual(
        inOrder.slice(offset, offset + 20),
      );
    }
  });
});
