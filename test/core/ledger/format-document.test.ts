import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { appendEntries, openLedger, rewriteRows } from './fixture.ts';

/** The program that docs/ledger-format.md prints, run as a reader would. */
function runDocumentedProgram(folder: string): { status: number | null; output: string } {
  const page = readFileSync(new URL('../../../docs/ledger-format.md', import.meta.url), 'utf8');
  const [, program = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', '--input-type=module', '--eval', program, folder],
    { encoding: 'utf8' },
  );
  return { status, output: stdout + stderr };
}

test('the program in the document verifies a ledger without any of our code', async () => {
  const folder = tempFolder();
  const first = openLedger(folder, randomBytes(32));
  appendEntries(first, 5);
  await first.close();
  const second = openLedger(folder, randomBytes(32));
  appendEntries(second, 5);
  const { head } = second.ledger.report();
  await second.close();

  expect(runDocumentedProgram(folder)).toEqual({ status: 0, output: `12 rows verified, head ${head}\n` });
  rewriteRows(folder, (rows) => rows.map((row) => (row.seq === 9 ? { ...row, actor: 'Nobody' } : row)));
  expect(runDocumentedProgram(folder).output).toContain('Broken: row 9');
});
