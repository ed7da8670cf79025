import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { afterEach, expect, test } from 'vitest';
import { projectRoot } from '../../scripts/lib/run-tool.ts';
import { chooseFaults, guardedFolders, faultsIn, plant } from '../../scripts/mutation/faults.ts';
import { plantIn } from '../../scripts/mutation/scratch-copy.ts';

const folder = mkdtempSync(join(tmpdir(), 'mutation-test-'));

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const writeSource = (file: string, text: string) => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
};

test('each kind of fault is planted at the right position', () => {
  const text = `
    const maxRows = 4 * 1024;
    const everyMs = 500;
    export function add(row: Row) {
      checkRow(row);
      if (!row.ok) throw new Error(row.a === row.b ? 'a' : 'b');
      if (rows.length >= maxRows) return false;
      if (row.late) { late.push(row); } else logger.info(row.a && row.b);
    }
  `;
  expect(faultsIn('a.ts', text).map(({ kind, original, planted }) => [kind, original, planted])).toEqual(
    expect.arrayContaining([
      ['doubled limit', '4 * 1024', '2 * (4 * 1024)'],
      ['removed check', 'checkRow(row);', ';'],
      ['removed check', expect.stringContaining('if (!row.ok) throw'), ';'],
      ['negated condition', '!row.ok', '!(!row.ok)'],
      ['flipped operator', 'rows.length >= maxRows', 'rows.length > maxRows'],
      ['dropped return', 'if (rows.length >= maxRows) return false;', ';'],
      ['flipped answer', 'false', 'true'],
      ['emptied branch', '{ late.push(row); }', '{}'],
    ]),
  );
});

test('no fault is planted in error texts, log texts, types, comments or intervals', () => {
  const text = `
    // if (a === b) return;
    type Same<A, B> = A extends B ? true : false;
    const retryEveryMs = 2_000;
    const maxWaitMs = 2_000;
    logger.warn(a && b ? 'a' : 'b');
    throw new Error(a === b ? 'a' : 'b');
  `;
  expect(faultsIn('a.ts', text)).toEqual([]);
});

test('every fault in the guarded folders changes its file, and the file still parses', () => {
  const faults = chooseFaults(projectRoot, { count: 300, seed: 7, folders: guardedFolders });
  expect(faults).toHaveLength(300);
  for (const fault of faults) {
    const text = readFileSync(join(projectRoot, fault.file), 'utf8');
    const planted = plant(text, fault);
    expect(planted).not.toBe(text);
    expect(parseSync(fault.file, planted).errors, `${fault.file}:${fault.line} ${fault.kind}`).toEqual([]);
  }
});

test('a seed always chooses the same faults, equally many per folder, and another seed chooses others', () => {
  const choose = (seed: number) => chooseFaults(projectRoot, { count: 70, seed, folders: guardedFolders });
  const faults = choose(1);
  expect(choose(1)).toEqual(faults);
  expect(choose(2)).not.toEqual(faults);
  const inFolder = (folder: string) => faults.filter(({ file }) => file.startsWith(`${folder}/`)).length;
  expect(guardedFolders.map(inFolder)).toEqual(guardedFolders.map(() => 10));
});

test('a change in one file does not affect the faults of other files', () => {
  const choose = () => chooseFaults(folder, { count: 9, seed: 1, folders: ['a'] });
  writeSource('a/one.ts', 'if (a === b) c();\n');
  const before = choose();
  writeSource('a/two.ts', '\nif (d) e();\n');
  expect(before).toHaveLength(3);
  expect(choose()).toEqual(expect.arrayContaining(before));
});

test('a planted fault is removed without a trace', () => {
  const text = 'if (a === b) c();\n';
  writeSource('a/one.ts', text);
  const [fault] = chooseFaults(folder, { count: 1, seed: 1, folders: ['a'] });
  if (fault === undefined) throw new Error('There is no fault');
  const restore = plantIn(folder, fault);
  expect(readFileSync(join(folder, 'a/one.ts'), 'utf8')).toBe(plant(text, fault));
  restore();
  expect(readFileSync(join(folder, 'a/one.ts'), 'utf8')).toBe(text);
});
