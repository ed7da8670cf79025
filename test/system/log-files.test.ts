import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lastLogLines, openLog } from '#system/log-files.ts';
import { expectMode } from '#test/servers/file-mode.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

describe('a log', () => {
  test('that reaches its limit continues in a new file, and a limited number of older files is kept', () => {
    const file = join(tempFolder(), 'logs', 'countersign.log');
    const log = openLog(file, { maxBytes: 100, olderFiles: 2 });
    const line = (number: number): string => `${String(number).padStart(39, '0')}\n`;
    for (let number = 0; number < 9; number += 1) log.write(line(number));
    expect(readFileSync(file, 'utf8')).toBe(line(8));
    expect(readFileSync(`${file}.1`, 'utf8')).toBe(line(6) + line(7));
    expect(readFileSync(`${file}.2`, 'utf8')).toBe(line(4) + line(5));
    expect(readdirSync(join(file, '..'))).toHaveLength(3);
  });

  test('accepts a line longer than its limit, and is readable by its owner only', () => {
    const file = join(tempFolder(), 'countersign.log');
    const log = openLog(file, { maxBytes: 10, olderFiles: 1 });
    log.write(`${'x'.repeat(50)}\n`);
    log.write('short\n');
    expect(readFileSync(file, 'utf8')).toBe('short\n');
    expect(readFileSync(`${file}.1`, 'utf8')).toHaveLength(51);
    expectMode(file, 0o600);
  });

  test('that another program emptied continues', () => {
    const file = join(tempFolder(), 'countersign.log');
    const log = openLog(file);
    log.write('one\n');
    writeFileSync(file, '');
    log.write('two\n');
    expect(readFileSync(file, 'utf8')).toBe('two\n');
  });
});

describe('the last lines of the logs', () => {
  test('are complete lines and come from log files only', () => {
    const folder = join(tempFolder(), 'logs');
    mkdirSync(folder);
    const lines = Array.from(
      { length: 3_000 },
      (_, number) => `{"number":${number},"pad":"${'x'.repeat(40)}"}`,
    );
    writeFileSync(join(folder, 'countersign.log'), `${lines.join('\n')}\n`);
    writeFileSync(join(folder, 'desktop.log'), 'one\ntwo\n');
    writeFileSync(join(folder, 'notes.txt'), 'not a log');
    expect(lastLogLines(folder, 2)).toEqual([
      { name: 'countersign.log', lines: lines.slice(-2) },
      { name: 'desktop.log', lines: ['one', 'two'] },
    ]);
    const many = lastLogLines(folder, 5_000)[0]?.lines ?? [];
    expect(many.length).toBeGreaterThan(500);
    expect(many.every((line) => line.startsWith('{"number"'))).toBe(true);
  });

  test('are empty if there is no folder', () => {
    expect(lastLogLines(join(tempFolder(), 'absent'), 5)).toEqual([]);
  });
});
