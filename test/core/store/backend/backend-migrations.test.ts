import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '#core/platform/clock.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { newestFirst, openBackendStore } from '#core/store/backend/index.ts';
import { backendMigrations } from '#core/store/backend/migrations.ts';
import { changeFile } from '#test/servers/stored-rows.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

test('a database of the first release keeps its campaigns, and a copy of it stays', async () => {
  const folder = tempFolder();
  const file = join(folder, 'backend.sqlite');
  const open = () => openBackendStore({ file, clock: systemClock, logger: silentLogger });
  await open().dispose();
  const rows = [3, 1, 2].map((cid) =>
    JSON.stringify({ cid, uid: 7, name: `campaign ${cid}`, status: cid % 2 }),
  );
  changeFile(file, (db) => {
    db.exec(`DROP INDEX campaign_by_owner; DROP INDEX campaign_by_status;
      PRAGMA user_version = ${backendMigrations[0]?.number};
      INSERT INTO member VALUES (7, 'Owner', 'member', 0, 0, '[]'), (8, 'Other', 'member', 0, 0, '[]');`);
    const add = db.prepare("INSERT INTO campaign VALUES (:row ->> '$.cid', :uid, 3, :row, 0)");
    for (const row of rows) add.run({ row, uid: 7 });
    add.run({ row: '{"cid":9}', uid: 8 });
  });

  const store = open();
  const { rows: found, total } = store.read.list({ ...newestFirst, uid: 7, limit: 2 });
  expect({ found, total }).toEqual({ found: [rows[0], rows[2]], total: 3 });
  expect(store.read.list({ ...newestFirst, uid: 7, status: 1, limit: 2 })).toEqual({
    rows: [rows[0], rows[1]],
    total: 2,
  });
  expect(store.read.list({ ...newestFirst, uid: 8, limit: 2 }).total).toBe(1);
  await store.dispose();
  expect(readdirSync(folder).filter((name) => name.includes('.backup-8-'))).toHaveLength(1);
});
