import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifyLedgerFile } from '#core/ledger/index.ts';
import { has } from '#test/servers/abilities.ts';
import { startChild } from '#test/servers/child.ts';
import { requireTool } from '#test/servers/require-tool.ts';
import { integrityOf } from '#test/servers/stored-rows.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { databaseIn } from './fixture.ts';

const appendForever = new URL('./append-forever.ts', import.meta.url);

test.runIf(has.linux)(
  'every row is on disk before it is acknowledged, with at least one fsync of the database each',
  async () => {
    const strace = requireTool('strace');
    const folder = tempFolder();
    const trace = join(folder, 'trace');
    const options = ['--follow-forks', '--decode-fds=path', '--trace=fsync,fdatasync,write,writev'];
    const child = startChild(
      appendForever,
      [join(folder, 'data'), '40'],
      [strace, ...options, `--output=${trace}`],
    );
    expect(await child.rest()).toHaveLength(40);

    let syncs = 0;
    const syncsBefore: number[] = [];
    for (const line of readFileSync(trace, 'utf8').split('\n')) {
      if (/\bf(data)?sync\(\d+<[^>]*countersign\.sqlite/.test(line)) syncs += 1;
      if (!/\bwritev?\(1</.test(line)) continue;
      syncsBefore.push(syncs);
      syncs = 0;
    }
    expect(syncsBefore).toHaveLength(40);
    expect(Math.min(...syncsBefore)).toBeGreaterThanOrEqual(1);
  },
);

test('no acknowledged row is lost when the process is killed, and the ledger continues', async () => {
  const folder = tempFolder();
  let acknowledged = 0;
  for (let round = 0; round < 8; round += 1) {
    const child = startChild(appendForever, [folder, '1000000']);
    for (let rows = 0; rows <= round * 7; rows += 1) acknowledged = Number(await child.line());
    await child.kill();
    // Includes the lines that were printed before the kill. The last line may be truncated.
    acknowledged = Number((await child.rest()).at(-2) ?? acknowledged);

    const report = await verifyLedgerFile(databaseIn(folder));
    expect(report).toMatchObject({ state: 'verified', problem: null });
    expect(report.rows).toBeGreaterThanOrEqual(acknowledged);
    expect(integrityOf(databaseIn(folder))).toBe('ok');
  }
});

describe.runIf(has.linux)('a full disk', () => {
  test('acknowledges no row that it does not store', async () => {
    const mounted = tempFolder();
    const unshare = requireTool('unshare');
    const user = process.getuid?.() === 0 ? [] : ['--map-root-user'];
    // The small disk is mounted in a namespace of the child process and unmounted when it ends, so its files are
    // copied out.
    const script = join(tempFolder(), 'on-small-disk.sh');
    const kept = tempFolder();
    writeFileSync(
      script,
      [
        `mount -t tmpfs -o size=1m,mode=700 small "${mounted}" || { echo not_mounted; exit 1; }`,
        `"$@" && cp -r "${mounted}/." "${kept}"`,
      ].join('\n'),
    );
    const child = startChild(
      appendForever,
      [mounted, '1000', '2000'],
      [unshare, '--mount', ...user, 'sh', script],
    );
    const lines = await child.rest();
    if (lines[0] === 'not_mounted') {
      throw new Error(
        'This test mounts a small tmpfs: run it as root, or where user namespaces are allowed.',
      );
    }

    expect(lines.at(-1)).toBe('disk_full');
    const acknowledged = Number(lines.at(-2));
    expect(acknowledged).toBeGreaterThan(5);
    expect(integrityOf(databaseIn(kept))).toBe('ok');
    const report = await verifyLedgerFile(databaseIn(kept));
    expect(report).toMatchObject({ state: 'verified', rows: acknowledged });
  });
});
