import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSaver } from '#electron/ipc/saver.ts';
import { FileHeldError, replaceFile } from '#system/replace-file.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

/** A saver whose person puts every file into one folder, under the suggested name. */
function savingInto(folder: string) {
  const suggested: string[] = [];
  const askWhere = async (name: string): Promise<string> => {
    suggested.push(name);
    return join(folder, name);
  };
  return { suggested, saver: createSaver({ askWhere }) };
}

test('a file stands in its place when it is whole, and not before', async () => {
  const folder = tempFolder();
  const { saver } = savingInto(folder);
  writeFileSync(join(folder, 'ledger.jsonl'), 'the one before');
  expect(await saver.begin('ledger.jsonl')).toBe('ledger.jsonl');
  await saver.add('one\n');
  await saver.add('two ä\n');
  expect(readFileSync(join(folder, 'ledger.jsonl'), 'utf8')).toBe('the one before');
  await saver.end(true);
  expect(readFileSync(join(folder, 'ledger.jsonl'), 'utf8')).toBe('one\ntwo ä\n');
  expect(readdirSync(folder)).toEqual(['ledger.jsonl']);
});

test('bytes and text lie in a file as they came', async () => {
  const folder = tempFolder();
  const { saver } = savingInto(folder);
  await saver.begin('chart.png');
  await saver.add(Uint8Array.of(0x89, 0x50, 0x00, 0xff));
  await saver.add('ä');
  await saver.end(true);
  expect([...readFileSync(join(folder, 'chart.png'))]).toEqual([0x89, 0x50, 0x00, 0xff, 0xc3, 0xa4]);
});

test('nothing is left of a file that was stopped, or of one that another began after', async () => {
  const folder = tempFolder();
  const { saver } = savingInto(folder);
  await saver.begin('first');
  await saver.add('half');
  await saver.begin('second');
  await saver.end(false);
  await saver.end(true);
  expect(readdirSync(folder)).toEqual([]);
  await expect(saver.add('more')).rejects.toMatchObject({ code: 'storage_failed' });
});

test('nothing is begun where no file is wanted, and a place that cannot be written is said', async () => {
  const none = createSaver({ askWhere: async () => null });
  expect(await none.begin('ledger')).toBeNull();
  await expect(none.add('text')).rejects.toMatchObject({ code: 'storage_failed' });
  const nowhere = createSaver({ askWhere: async (name) => join(tempFolder(), 'missing', name) });
  await expect(nowhere.begin('ledger')).rejects.toMatchObject({ code: 'storage_failed' });
});

test('the page suggests a name and no place', async () => {
  const folder = tempFolder();
  const { saver, suggested } = savingInto(folder);
  await saver.begin('../../etc/cron d:x.jsonl');
  await saver.end(true);
  expect(suggested).toEqual(['-..-etc-cron-d-x.jsonl']);
  expect(existsSync(join(folder, String(suggested[0])))).toBe(true);
});

test('a target that another program keeps open is named as such, and nothing of the save is left', async () => {
  const folder = tempFolder();
  const saver = createSaver({
    askWhere: async (name) => join(folder, name),
    replace: (from, to) =>
      replaceFile(from, to, {
        platform: 'win32',
        isReplaceable: () => true,
        rename: async () => {
          throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' });
        },
        sleep: async () => undefined,
      }),
  });
  writeFileSync(join(folder, 'report.csv'), 'open in a spreadsheet');
  await saver.begin('report.csv');
  await saver.add('new rows');
  await expect(saver.end(true)).rejects.toMatchObject({ code: 'file_in_use' });
  expect(readdirSync(folder)).toEqual(['report.csv']);
  expect(readFileSync(join(folder, 'report.csv'), 'utf8')).toBe('open in a spreadsheet');
});

test('the cause is named although another program holds what is left of the save, too', async () => {
  const folder = tempFolder();
  const saver = createSaver({
    askWhere: async (name) => join(folder, name),
    replace: async (from, to) => {
      // A folder is not removed as a file is.
      rmSync(from);
      mkdirSync(from);
      throw new FileHeldError(to, null);
    },
  });
  await saver.begin('report.csv');
  await expect(saver.end(true)).rejects.toMatchObject({ code: 'file_in_use' });
});

test('where only the chosen path may be written, a copy that never began leaves the file that was there', async () => {
  const [folder, staging] = [tempFolder(), join(tempFolder(), 'saves')];
  const target = join(folder, 'report.csv');
  writeFileSync(target, 'the one before');
  const saver = createSaver({ askWhere: async () => target, stagingFolder: staging });
  await saver.begin('report.csv');
  await saver.add('rows');
  rmSync(join(staging, 'part'));
  await expect(saver.end(true)).rejects.toMatchObject({ code: 'storage_failed' });
  expect(readFileSync(target, 'utf8')).toBe('the one before');
});

test('where only the chosen path may be written, the file is staged elsewhere and then copied', async () => {
  const [folder, staging] = [tempFolder(), join(tempFolder(), 'saves')];
  const seen: string[][] = [];
  const saver = createSaver({ askWhere: async (name) => join(folder, name), stagingFolder: staging });
  await saver.begin('report.csv');
  await saver.add('rows');
  seen.push(readdirSync(folder), readdirSync(staging));
  await saver.end(true);
  seen.push(readdirSync(folder), readdirSync(staging));
  expect(seen).toEqual([[], ['part'], ['report.csv'], []]);
  expect(readFileSync(join(folder, 'report.csv'), 'utf8')).toBe('rows');

  // What cannot be copied leaves nothing at the target and nothing here.
  const nowhere = createSaver({ askWhere: async () => join(folder, 'missing', 'a'), stagingFolder: staging });
  await nowhere.begin('a');
  await nowhere.add('rows');
  await expect(nowhere.end(true)).rejects.toMatchObject({ code: 'storage_failed' });
  expect(existsSync(join(folder, 'missing'))).toBe(false);
  expect(readdirSync(staging)).toEqual([]);
});

test('a file whose page or program ends leaves nothing at once, also one that was only asked for', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'report.csv'), 'the one before');
  const { saver } = savingInto(folder);
  await saver.begin('report.csv');
  await saver.add('half');
  saver.discard();
  expect(readdirSync(folder)).toEqual(['report.csv']);
  await expect(saver.add('more')).rejects.toMatchObject({ code: 'storage_failed' });
  await saver.end(true);
  expect(readFileSync(join(folder, 'report.csv'), 'utf8')).toBe('the one before');

  const chosen = Promise.withResolvers<string>();
  const asking = createSaver({ askWhere: () => chosen.promise });
  const begun = asking.begin('late.csv');
  await settled();
  asking.discard();
  chosen.resolve(join(folder, 'late.csv'));
  expect(await begun).toBeNull();
  expect(readdirSync(folder)).toEqual(['report.csv']);

  // The dialog was answered, and the file is on its way.
  const opening = savingInto(folder).saver;
  const opened = opening.begin('opening.csv');
  // The disk answers in a later turn of the loop.
  for (let step = 0; step < 50; step += 1) await Promise.resolve();
  opening.discard();
  expect(await opened).toBeNull();
  expect(readdirSync(folder)).toEqual(['report.csv']);
});

test('a save that was put in its place before its page ended stays there', async () => {
  const folder = tempFolder();
  const { saver } = savingInto(folder);
  await saver.begin('report.csv');
  await saver.add('rows');
  const ended = saver.end(true);
  saver.discard();
  await ended;
  expect(readFileSync(join(folder, 'report.csv'), 'utf8')).toBe('rows');
});

/** Lets what waits for nothing go on. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
