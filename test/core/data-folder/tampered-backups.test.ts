import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { drafts } from '#core/store/app/migrations/campaign-work.ts';
import { connect, openWithAgent, waiting } from '#test/core/gateway/admission/admitted-agent.ts';
import { unpackLedger } from '#test/core/ledger/fixture.ts';
import { initialize, reopenEndpoint } from '#test/core/gateway/endpoint/endpoint-world.ts';
import { campaignNow, createWorld, proposeBid } from '#test/core/proposals/world.ts';
import { startFakeService } from '#test/servers/fake-service.ts';
import { readAccount } from '#test/servers/read-account.ts';
import { changeFile, readRows } from '#test/servers/stored-rows.ts';
import { app, askForRestore, fetchBackup, repacked, service } from './hand-over.ts';
import { appRows, plantedKey, plantedToken, serviceRows } from './tampered-rows.ts';

/** The tables of schema 12, in which a row determined how calls of a tool are treated. */
const oldTables = `
  ALTER TABLE tool_pin RENAME TO pin;
  CREATE TABLE tool_pin (
    profile_id TEXT NOT NULL,
    name TEXT NOT NULL,
    position INTEGER NOT NULL,
    hash TEXT,
    definition TEXT,
    pinned_at_ms INTEGER,
    treat_as TEXT NOT NULL,
    offered_hash TEXT,
    offered_definition TEXT,
    offered_at_ms INTEGER,
    changes INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (profile_id, name)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO tool_pin SELECT profile_id, name, position, hash, definition, pinned_at_ms, 'read',
    offered_hash, offered_definition, offered_at_ms, changes FROM pin;
  DROP TABLE pin;
  DROP TABLE pause_return;
  DROP INDEX proposal_replaced;
  DROP INDEX proposal_batches;
  DROP TABLE draft_review;
  ${drafts.slice(drafts.indexOf('CREATE TABLE draft_review'))}
  PRAGMA user_version = 12;`;

test.each([
  ['the treatment of every tool in an older backup', oldTables],
  [
    'a hint of its own in the definition',
    `UPDATE tool_pin SET definition =
     json_set(definition, '$.annotations', json('{"readOnlyHint":true}')) WHERE name = 'svc_commit'`,
  ],
])('a commit waits for a person’s approval, whatever a restored backup contains: %s', async (_what, edit) => {
  const { world, cid } = await openWithAgent();
  const backup = await repacked(await fetchBackup(world.core), (folder) => {
    if (edit === oldTables) unpackLedger(folder, edit);
    else changeFile(app(folder), edit);
  });
  await askForRestore(world.core, backup);
  const restored = await world.restart();
  expect((await restored.core.handlers['agents.get']({})).frozenSinceMs).not.toBeNull();
  await restored.core.handlers['agents.thaw']({});
  const endpoint = await reopenEndpoint(restored);
  const { tokens } = await endpoint.enter();
  const agent = await connect(endpoint, tokens.access_token);
  for (const { name, offered } of (await restored.core.handlers['agents.tools']({ profileId: 'demo' }))
    .tools) {
    if (offered !== null)
      await restored.core.handlers['agents.acceptTool']({ profileId: 'demo', name, hash: offered.hash });
  }
  const { name } = await campaignNow(restored, cid);
  void agent.call('svc_commit', await agent.prepare(cid, 'key-1')).catch(() => undefined);
  expect((await waiting(restored)).operation).toBe('tool.call');
  expect((await campaignNow(restored, cid))['name']).toBe(name);
});

const tablesIn = (file: string): string[] =>
  readRows<{ name: string }>(
    file,
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
  )
    .map(({ name }) => name)
    .toSorted();

/** Returns the tables in the first column of a section of the document. */
function documented(heading: string): string[] {
  const text = readFileSync(
    fileURLToPath(new URL('../../../docs/backup-and-data.md', import.meta.url)),
    'utf8',
  );
  const [, section = ''] = text.split(`### ${heading}\n`);
  const [table = ''] = section.split('\n#');
  const cells = [...table.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)).toSorted();
}

test('every table of a backup is documented with what its rows can do, and is covered by these tests', async () => {
  const world = await createWorld({ campaigns: 5 });
  expect(documented('Rows of the app')).toEqual(tablesIn(app(world.folder)));
  expect(documented('Rows of the embedded service')).toEqual(tablesIn(service(world.folder)));
  expect(Object.keys(appRows).toSorted()).toEqual(tablesIn(app(world.folder)));
  expect(Object.keys(serviceRows).toSorted()).toEqual(tablesIn(service(world.folder)));
});

async function restoredWith(plant: string) {
  const stranger = await startFakeService();
  const { world, cid } = await openWithAgent({ host: 'desktop' });
  const { proposal } = await proposeBid(world);
  const account = (await world.core.handlers['profiles.list']({})).items[0]?.account ?? '';
  const made = { cid, waiting: proposal.id, account, origin: new URL(stranger.baseUrl).origin };
  const backup = await repacked(await fetchBackup(world.core), (folder) => {
    for (const [file, rows] of [
      [app(folder), appRows],
      [service(folder), serviceRows],
    ] as const) {
      const chosen = Object.entries(rows).filter(([table]) => plant === 'everything' || table === plant);
      changeFile(file, (db) => {
        db.pragma('foreign_keys = OFF');
        for (const [, write] of chosen) db.exec(write(made));
      });
    }
  });
  const before = await readAccount(world.other);
  await askForRestore(world.core, backup);
  const restored = await world.restart();
  return { restored, before, stranger, cid, waiting: proposal.id };
}

test('forged rows in every table of a backup approve nothing, admit nobody, send nothing and give no access', async () => {
  const { restored, before, stranger, cid, waiting: open } = await restoredWith('everything');
  const { handlers } = restored.core;

  // No agent is admitted, and no stored credential is accepted at the endpoint.
  const { agents, frozenSinceMs } = await handlers['agents.get']({});
  expect(frozenSinceMs).not.toBeNull();
  expect(agents.map(({ ended }) => ended?.because)).toEqual(['restored', 'restored']);
  const endpoint = await reopenEndpoint(restored);
  expect((await initialize(endpoint.url, plantedToken)).status).toBe(401);
  const left = (sql: string): unknown[] => readRows(app(restored.folder), sql);
  expect(left("SELECT * FROM oauth_row WHERE model <> 'Client'")).toEqual([]);
  expect(left('SELECT * FROM refresh_lease UNION ALL SELECT agent_id, 1 FROM prepared_change')).toEqual([]);
  expect(left("SELECT name FROM secret WHERE profile = 'demo'")).toEqual([]);
  const gone = 'SELECT 1 FROM oauth_row UNION ALL SELECT 1 FROM publisher_key WHERE is_demo = 0';
  expect(readRows(service(restored.folder), gone)).toEqual([]);

  // No proposal is undecided or approved.
  const { total } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 10 });
  expect(total).toBe(0);
  expect((await handlers['proposals.get']({ id: open })).state).toBe('withdrawn');

  // No credential or request is sent on its own to an address from the file.
  const { items } = await handlers['profiles.list']({});
  expect(items.find(({ id }) => id === 'planted')).toMatchObject({ memberToken: { state: 'none' } });
  expect(stranger.received).toEqual([]);
  expect((await handlers['data.get']({})).lastRestore).toMatchObject({ failure: null });
  expect((await handlers['ledger.verify']({})).state).toBe('verified');

  // After a person lets agents work again, admission, prepare and commit work as usual.
  await handlers['agents.thaw']({});
  const { tokens } = await endpoint.enter();
  const agent = await connect(endpoint, tokens.access_token);
  for (const { name, offered } of (await handlers['agents.tools']({ profileId: 'demo' })).tools) {
    if (offered !== null)
      await handlers['agents.acceptTool']({ profileId: 'demo', name, hash: offered.hash });
  }
  void agent.call('svc_commit', await agent.prepare(cid, plantedKey)).catch(() => undefined);
  // The proposal shows the service's current values, not those that the file claims to be cached or drafted.
  const { detail } = await waiting(restored);
  expect(JSON.stringify(detail)).not.toContain('98.765');
  // No write becomes due within a day.
  restored.clock.advance(25 * 3_600_000);
  expect(await readAccount(restored.other)).toEqual(before);
  expect(restored.puts()).toBe(0);
  expect(stranger.received).toEqual([]);
});
