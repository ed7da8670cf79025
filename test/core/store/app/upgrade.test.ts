import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLedger } from '#core/ledger/index.ts';
import { systemClock as clock } from '#core/platform/clock.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { createSealer, createSecrets } from '#core/profiles/index.ts';
import { openAppStore } from '#core/store/app/index.ts';
import { appMigrations } from '#core/store/app/migrations/index.ts';
import { openDatabase } from '#core/store/sqlite/index.ts';
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
});
