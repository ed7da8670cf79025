import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CampaignRow, sortColumns, statusNames, type StatusCode } from '#shared/contract/index.ts';
import { foldedText, lowerCase } from '#shared/lib/folded-text.ts';
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
import { tempFolder } from '#test/servers/temp-folder.ts';

const owners = [7, 8];
const maxCid = 30;

/** The plain list of contract §4.1: every campaign in memory, filtered and sorted for each query. */
type Model = Map<number, CampaignRecord>;

function listOf(model: Model, query: CampaignListQuery): { rows: CampaignRow[]; total: number } {
  const { uid, match, status, types, sort, order, offset, limit } = query;
  const found = [...model.values()]
    .filter(({ row, type }) => row.uid === uid && (types.length === 0 || types.includes(type)))
    .map(({ row }) => row)
    .filter((row) => status === null || row.status === status)
    .filter((row) => match.kind !== 'cid' || row.cid === match.cid)
    .filter((row) => match.kind !== 'text' || foldedText(row.name).includes(foldedText(match.text)))
    .sort((a, b) => compared(keyOf(a, sort), keyOf(b, sort)) || a.cid - b.cid);
  if (order === 'desc') found.reverse();
  return { rows: found.slice(offset, offset + limit), total: found.length };
}

function keyOf(row: CampaignRow, sort: CampaignListQuery['sort']): number | Buffer {
  const value = sort === 'name' ? lowerCase(row.name) : sort === 'geo' ? row.geo.join(',') : row[sort];
  return typeof value === 'string' ? Buffer.from(value) : value;
}

function compared(a: number | Buffer, b: number | Buffer): number {
  return Buffer.isBuffer(a) && Buffer.isBuffer(b) ? Buffer.compare(a, b) : Number(a) - Number(b);
}

// Few different values, so that many are equal.
const text = fc.constantFrom(
  '',
  'a',
  'B',
  'Ä',
  'a\u0308',
  'ß',
  '\uff21',
  '\u{1f600}',
  'İ',
  'push "x"',
  'a\nb',
  'DE, AT',
);
const money = fc.constantFrom(0, 0.018, 0.1, 0.3, 0.1 + 0.2, 1e21, 12, 5e-324);
const status = fc.constantFrom<StatusCode[]>(0, 1, 2, 3, 4);
const cid = fc.integer({ min: 1, max: maxCid });
const type = fc.integer({ min: 0, max: 2 });

const record = fc
  .record({
    cid,
    uid: fc.constantFrom(...owners),
    type,
    name: text,
    website: text,
    geo: fc.array(text, { maxLength: 2 }),
    payout: money,
    budget: money,
    count: type,
    status,
  })
  .map(({ budget, count, type: code, ...row }): CampaignRecord => {
    const rest = { d_revenue: budget, t_revenue: budget, daily_budget: budget, total_budget: budget };
    const names = { type_name: `type ${code % 2}`, status_name: statusNames[row.status] };
    return {
      row: { ...row, ...rest, ...names, bid_control_count: count },
      type: code,
      payload: { cid: row.cid },
    };
  });

const query = fc.record({
  uid: fc.constantFrom(...owners),
  match: fc.oneof(
    fc.constant({ kind: 'all' as const }),
    fc.record({ kind: fc.constant('cid' as const), cid }),
    fc.record({ kind: fc.constant('text' as const), text: text.filter((one) => one !== '') }),
  ),
  status: fc.oneof(fc.constant(null), status),
  types: fc.oneof(fc.constant([]), fc.array(type, { maxLength: 2 })),
  sort: fc.oneof(fc.constant('cid' as const), fc.constantFrom(...sortColumns)),
  order: fc.constantFrom<('asc' | 'desc')[]>('asc', 'desc'),
  offset: fc.oneof(fc.constant(0), fc.nat(maxCid)),
  limit: fc.constantFrom(0, 1, 5, 200),
});

const change = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), record }),
  fc.record({ kind: fc.constant('status' as const), cids: fc.uniqueArray(cid, { maxLength: 4 }), status }),
);
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;

const write = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('own' as const),
      changes: fc.array(change, { minLength: 1, maxLength: 4 }),
      isReadInside: fc.boolean(),
      isRolledBack: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('elsewhere' as const),
      cid,
      uid: fc.constantFrom(...owners),
      status,
      name: text,
    }),
  },
);
type Write = typeof write extends fc.Arbitrary<infer One> ? One : never;

test('the list answers every query as a plain list in memory does, whatever was written in between', async () => {
  const file = join(tempFolder(), 'backend.sqlite');
  const store = openBackendStore({ file, clock: systemClock, logger: silentLogger });
  const member = { name: 'Owner', role: 'member', balanceMicros: 0, mcpMenu: true, modules: [] } as const;
  store.transaction(() => owners.forEach((uid) => store.write.addMember({ ...member, uid })));
  let model: Model = new Map();
  const queries = fc.array(query, { minLength: 1, maxLength: 4 });
  const property = fc.property(queries, fc.array(write, { maxLength: 12 }), (asked, writes) => {
    expectSame(store, model, asked);
    for (const one of writes) {
      model = one.kind === 'own' ? written(store, model, one, asked) : writtenElsewhere(file, model, one);
      expectSame(store, model, asked);
    }
  });
  fc.assert(property, runs(300));
  await store.dispose();
});

function expectSame(store: BackendStore, model: Model, asked: readonly CampaignListQuery[]): void {
  for (const one of asked) {
    const { rows, total } = store.read.list(one);
    expect({ rows: rows.map((row) => JSON.parse(row) as CampaignRow), total }).toEqual(listOf(model, one));
  }
}

function written(
  store: BackendStore,
  model: Model,
  { changes, isReadInside, isRolledBack }: Extract<Write, { kind: 'own' }>,
  asked: readonly CampaignListQuery[],
): Model {
  const after: Model = new Map(model);
  const rollBack = new Error('rolled back');
  try {
    store.transaction(() => {
      for (const one of changes) apply(store, after, one);
      if (isReadInside) expectSame(store, after, asked);
      if (isRolledBack) throw rollBack;
    });
  } catch (failure) {
    if (failure !== rollBack) throw failure;
    return model;
  }
  return after;
}

function apply({ write }: BackendStore, model: Model, one: Change): void {
  if (one.kind === 'put') {
    if (model.has(one.record.row.cid)) write.replaceCampaign(one.record);
    else write.addCampaign(one.record);
    model.set(one.record.row.cid, one.record);
    return;
  }
  const known = one.cids.filter((id) => model.has(id));
  write.setStatus(known, one.status);
  for (const id of known) model.set(id, withStatus(model, id, one.status));
}

function withStatus(model: Model, id: number, code: StatusCode): CampaignRecord {
  const known = model.get(id);
  if (known === undefined) throw new Error(`No campaign ${id}`);
  return { ...known, row: { ...known.row, status: code, status_name: statusNames[code] } };
}

function writtenElsewhere(
  file: string,
  model: Model,
  { cid: id, uid, status: code, name }: Extract<Write, { kind: 'elsewhere' }>,
): Model {
  if (!model.has(id)) return model;
  const { row, ...rest } = withStatus(model, id, code);
  const changed = { ...rest, row: { ...row, uid, name } };
  const other = connect(file);
  other
    .prepare('UPDATE campaign SET uid = ?, row = ? WHERE cid = ?')
    .run(uid, JSON.stringify(changed.row), id);
  other.close();
  return new Map(model).set(id, changed);
}
