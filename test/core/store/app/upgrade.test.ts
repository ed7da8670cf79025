import { randomBytes } from 'node:crypto';
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { createLedger } from '#core/ledger/index.ts';
import { systemClock as clock } from '#core/platform/clock.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { createSealer, createSecrets } from '#core/profiles/index.ts';
import { openAppStore } from '#core/store/app/index.ts';
import { appMigrations } from '#core/store/app/migrations/index.ts';
import { openDatabase } from '#core/store/sqlite/index.ts';
import { everyRow } from '#shared/app-api/index.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

describe('an app database of an earlier schema', () => {
  test.each(appMigrations.slice(0, -1).map(({ number }) => number))(
    'number %i keeps its settings and is copied before it moves on',
    async (schema) => {
      const folder = tempFolder();
      const file = join(folder, 'countersign.sqlite');
      const old = openDatabase({ file, migrations: appMigrations.slice(0, schema), clock, logger });
      old.db.exec("INSERT INTO setting VALUES ('demo.port', '4100')");
      await old.dispose();

      const store = openAppStore({ folder, clock, logger });
      const keys = createSecrets({ store, sealer: createSealer(randomBytes(32)) });
      const ledger = createLedger({ store, keys, clock, logger, onChange: () => {} });
      expect(store.settings.get('demo.port')).toBe('4100');
      expect(ledger.report()).toMatchObject({ state: 'verified', rows: 1 });
      await ledger.dispose();
      await store.dispose();
      expect(readdirSync(folder).filter((name) => name.includes(`.backup-${schema}-`))).toHaveLength(1);
    },
  );

  test('number 5 keeps its pinned tools, which have not changed since', async () => {
    const folder = tempFolder();
    const file = join(folder, 'countersign.sqlite');
    const old = openDatabase({ file, migrations: appMigrations.slice(0, 5), clock, logger });
    old.db.exec(
      "INSERT INTO tool_pin VALUES ('p', 'weather', 0, 'aa', '{}', 7, 'write', 'bb', '{\"a\":1}', 8)",
    );
    await old.dispose();

    const store = openAppStore({ folder, clock, logger });
    expect(store.toolPins.of('p')).toEqual([
      {
        profileId: 'p',
        name: 'weather',
        position: 0,
        pinned: { hash: 'aa', definition: '{}', atMs: 7 },
        treatAs: 'write',
        offered: { hash: 'bb', definition: '{"a":1}', atMs: 8 },
        changes: 0,
      },
    ]);
    expect(store.toolPins.told('p')).toEqual([]);
    await store.dispose();
  });

  test('number 6 keeps its proposals and its ledger, and is written anew once so that its pages can be given back', async () => {
    const folder = tempFolder();
    const dataKey = randomBytes(32);
    await makeSchema6(folder, dataKey);
    const sizeBefore = pagesOf(folder);

    const store = openAppStore({ folder, clock, logger });
    const keys = createSecrets({ store, sealer: createSealer(dataKey) });
    const ledger = createLedger({ store, keys, clock, logger, onChange: () => {} });
    const { proposals: settled } = store.proposals.page({ which: 'settled', before: null, limit: 100 });
    expect(settled.map(({ id }) => id)).toEqual(settledIds.toReversed());
    expect(settled.at(-1)).toMatchObject({
      profile: { id: 'demo', name: 'Northwind Media' },
      proposedBy: { kind: 'agent', agentId: 'a1' },
      payload: payloadOf('s00'),
      base: '{"campaign":{}}',
      verdicts: [
        { field: 'payout', label: 'Bid', verdict: 'stored', sent: '$2.00', found: '$2.00' },
        { field: 'status', label: 'Status', verdict: 'different', sent: 'Active', found: 'Paused' },
      ],
    });
    expect(store.proposals.undecided('a1')).toMatchObject([
      { id: 'w', payload: payloadOf('w'), verdicts: [] },
    ]);
    expect(await ledger.verify()).toMatchObject({ state: 'verified', rows: 1 + 2 * settledIds.length });
    const ofAgent = { filter: { ...everyRow, agentId: 'a1' }, beforeSeq: null, limit: 1 };
    expect(store.ledger.page(ofAgent).total).toBe(2 * settledIds.length);
    expect(store.ledger.profileIds()).toEqual(['demo']);

    store.transaction(() => store.proposals.prune(settledIds, 9));
    expect(store.proposals.find('s00')).toMatchObject({
      payload: '',
      base: '',
      verdicts: [{ field: 'status' }],
      prunedAtMs: 9,
    });
    while (store.returnPages());
    expect(await ledger.verify()).toMatchObject({ state: 'verified' });
    await ledger.dispose();
    await store.dispose();
    expect(pagesOf(folder)).toMatchObject({ autoVacuum: 2, free: 0 });
    expect(sizeBefore.autoVacuum).toBe(0);
    expect(pagesOf(folder).count).toBeLessThan(sizeBefore.count / 2);
  });
});

const settledIds = Array.from({ length: 40 }, (_one, index) => `s${String(index).padStart(2, '0')}`);

const payloadOf = (id: string): string => JSON.stringify({ note: `${id} `.repeat(3_000) });

/** A file as the program left it at schema 6: pages that cannot be given back, an agent in every row, verdicts as objects. */
async function makeSchema6(folder: string, dataKey: Buffer): Promise<void> {
  const made = tempFolder();
  const store = openAppStore({ folder: made, clock, logger });
  const keys = createSecrets({ store, sealer: createSealer(dataKey) });
  const ledger = createLedger({ store, keys, clock, logger, onChange: () => {} });
  store.transaction(() => {
    for (const proposalId of settledIds) {
      for (const kind of ['proposal.proposed', 'write.verified'])
        ledger.append({
          kind,
          proposalId,
          actor: 'You',
          via: null,
          summary: kind,
          body: { agent: 'a1', profile: 'demo' },
        });
    }
  });
  await ledger.dispose();
  await store.dispose();
  copyFileSync(join(made, 'ledger.anchor.json'), join(folder, 'ledger.anchor.json'));

  const db = new BetterSqlite3(join(folder, 'countersign.sqlite'));
  db.pragma('journal_mode = WAL');
  for (const { number, up } of appMigrations.slice(0, 6)) {
    up(db);
    db.pragma(`user_version = ${number}`);
  }
  db.prepare('ATTACH ? AS made').run(join(made, 'countersign.sqlite'));
  db.exec('INSERT INTO ledger SELECT * FROM made.ledger; INSERT INTO secret SELECT * FROM made.secret');
  db.exec('DETACH made');
  const insert = db.prepare(
    `INSERT INTO proposal (id, operation, state, profile_id, agent_id, created_at_ms, expires_at_ms, updated_at_ms, intent_at_ms,
       payload, base, nonce, fingerprint, origin, progress)
     VALUES (?, 'tool.call', ?, 'demo', 'a1', 1, 2, 3, NULL, ?, '{"campaign":{}}', 'nonce', 'f', ?, ?)`,
  );
  const money = { text: '$0.00', unlimited: false, micros: '0' };
  const origin = JSON.stringify({
    profile: { id: 'demo', name: 'Northwind Media', kind: 'demo', account: '7', zone: 'UTC' },
    proposedBy: { kind: 'agent', name: 'Ada', sinceMs: 1, agentId: 'a1' },
    quotation: null,
    targets: [1042],
    headline: { title: 'Raise', perDay: { before: money, after: money }, worstWarning: null },
    rebase: null,
  });
  const verdicts = [
    { field: 'payout', label: 'Bid', verdict: 'stored', sent: '$2.00', found: '$2.00' },
    { field: 'status', label: 'Status', verdict: 'different', sent: 'Active', found: 'Paused' },
  ];
  const progress = (found: object[]): string =>
    JSON.stringify({ conflict: [], replacedBy: null, verdicts: found, outcome: null, reason: null });
  for (const id of settledIds) insert.run(id, 'differs', payloadOf(id), origin, progress(verdicts));
  insert.run('w', 'proposed', payloadOf('w'), origin, progress([]));
  db.close();
}

function pagesOf(folder: string): { autoVacuum: unknown; count: number; free: unknown } {
  const db = new BetterSqlite3(join(folder, 'countersign.sqlite'), { readonly: true });
  const value = (pragma: string): unknown => db.pragma(pragma, { simple: true });
  const pages = {
    autoVacuum: value('auto_vacuum'),
    count: Number(value('page_count')),
    free: value('freelist_count'),
  };
  db.close();
  return pages;
}
