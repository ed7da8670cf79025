import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import fc from 'fast-check';
import { createSaver, type FileSaver } from '#electron/ipc/saver.ts';
import type { BegunFile } from '#shared/host-api/index.ts';
import { FileHeldError, replaceFile } from '#system/replace-file.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { runs } from '#test/setup/property-runs.ts';

async function begun(saver: FileSaver, name: string): Promise<BegunFile> {
  const file = await saver.begin(name);
  if (file === null) throw new Error('No file was wanted.');
  return file;
}

/** A saver whose person saves every file in one folder, under the suggested name. */
function savingInto(folder: string) {
  const suggested: string[] = [];
  const choosePath = async (name: string): Promise<string> => {
    suggested.push(name);
    return join(folder, name);
  };
  return { suggested, saver: createSaver({ choosePath }) };
}

test('a file appears at its place only when it is complete', async () => {
  const folder = tempFolder();
  const { saver } = savingInto(folder);
  writeFileSync(join(folder, 'ledger.jsonl'), 'the one before');
  const { id, name } = await begun(saver, 'ledger.jsonl');
  expect(name).toBe('ledger.jsonl');
  await saver.add(id, 'one\n');
  await saver.add(id, 'two ä\n');
  expect(readFileSync(join(folder, 'ledger.jsonl'), 'utf8')).toBe('the one before');
  await saver.end(id, true);
  expect(readFileSync(join(folder, 'ledger.jsonl'), 'utf8')).toBe('one\ntwo ä\n');
  expect(readdirSync(folder)).toEqual(['ledger.jsonl']);
});

test('bytes and text are written unchanged', async () => {
  const folder = tempFolder();
  const { saver } = savingInto(folder);
  const { id } = await begun(saver, 'chart.png');
  await saver.add(id, Uint8Array.of(0x89, 0x50, 0x00, 0xff));
  await saver.add(id, 'ä');
  await saver.end(id, true);
  expect([...readFileSync(join(folder, 'chart.png'))]).toEqual([0x89, 0x50, 0x00, 0xff, 0xc3, 0xa4]);
});

test('a cancelled file leaves nothing, and its id becomes invalid', async () => {
  const folder = tempFolder();
  const { saver } = savingInto(folder);
  const { id } = await begun(saver, 'first');
  await saver.add(id, 'half');
  await saver.end(id, false);
  expect(readdirSync(folder)).toEqual([]);
  await expect(saver.add(id, 'more')).rejects.toMatchObject({ code: 'storage_failed' });
  await expect(saver.end(id, true)).rejects.toMatchObject({ code: 'storage_failed' });
  expect(readdirSync(folder)).toEqual([]);
});

test('a dialog that is opened and cancelled during a save leaves that save running', async () => {
  const folder = tempFolder();
  const answers = [join(folder, 'report.csv'), null];
  const saver = createSaver({ choosePath: async () => answers.shift() ?? null });
  const { id } = await begun(saver, 'report.csv');
  await saver.add(id, 'one\n');
  expect(await saver.begin('backup')).toBeNull();
  await saver.add(id, 'two\n');
  await saver.end(id, true);
  expect(readFileSync(join(folder, 'report.csv'), 'utf8')).toBe('one\ntwo\n');
});

/** The steps of two saves in an arbitrary interleaving. The steps of each save keep their order. */
const interleaved = fc
  .tuple(fc.array(fc.constantFrom(0, 1), { minLength: 10, maxLength: 10 }), fc.boolean(), fc.boolean())
  .map(([order, ...keeps]) => ({
    order: [...order, ...Array<number>(5).fill(0), ...Array<number>(5).fill(1)],
    keeps,
  }));

test.each([
  ['beside their targets', false, ['one.csv', 'two.csv']],
  ['in a folder of their own', true, ['one.csv', 'two.csv']],
  ['next to the same target', false, ['one.csv', 'one.csv']],
  ['in a separate folder, for one target', true, ['one.csv', 'one.csv']],
] as const)('with two saves at once each file is complete or missing: %s', async (_, isStaged, names) => {
  await fc.assert(
    fc.asyncProperty(interleaved, async ({ order, keeps }) => {
      const folder = tempFolder();
      const saver = createSaver({
        choosePath: async (name) => join(folder, name),
        stagingFolder: isStaged ? join(tempFolder(), 'saves') : null,
      });
      const parts = ['a', 'b', 'c'];
      const saves = names.map((name, index) => {
        let id = '';
        const add = parts.map((part) => () => saver.add(id, `${index}${part}`));
        return [
          async () => void ({ id } = await begun(saver, name)),
          ...add,
          () => saver.end(id, keeps[index] === true),
        ];
      });
      for (const turn of order) await saves[turn]?.shift()?.();
      expect(readdirSync(folder).toSorted()).toEqual([
        ...new Set(names.filter((_name, index) => keeps[index])),
      ]);
      const whole = names.map((_name, index) => parts.map((part) => `${index}${part}`).join(''));
      for (const name of readdirSync(folder)) {
        const text = readFileSync(join(folder, name), 'utf8');
        expect(whole.filter((_text, index) => names[index] === name && keeps[index])).toContain(text);
      }
    }),
    runs(40),
  );
});

test('two saves for one target that end at once leave one complete file', async () => {
  const [folder, staging] = [tempFolder(), join(tempFolder(), 'saves')];
  const saver = createSaver({ choosePath: async () => join(folder, 'report.csv'), stagingFolder: staging });
  const texts = ['a', 'b'].map((letter) => letter.repeat(8_000_000));
  const files = await Promise.all(texts.map(() => begun(saver, 'report.csv')));
  await Promise.all(files.map(({ id }, index) => saver.add(id, texts[index] ?? '')));
  await Promise.all(files.map(({ id }) => saver.end(id, true)));
  expect(texts.includes(readFileSync(join(folder, 'report.csv'), 'utf8'))).toBe(true);
  expect(readdirSync(staging)).toEqual([]);
});

test('unfinished files of an earlier run are deleted', () => {
  const staging = join(tempFolder(), 'saves');
  mkdirSync(staging);
  writeFileSync(join(staging, 'old.part'), 'half');
  createSaver({ choosePath: async () => null, stagingFolder: staging });
  expect(existsSync(staging)).toBe(false);
});

test('nothing is written if the user chooses no file, and an unwritable place is reported', async () => {
  const none = createSaver({ choosePath: async () => null });
  expect(await none.begin('ledger')).toBeNull();
  await expect(none.add('', 'text')).rejects.toMatchObject({ code: 'storage_failed' });
  const nowhere = createSaver({ choosePath: async (name) => join(tempFolder(), 'missing', name) });
  await expect(nowhere.begin('ledger')).rejects.toMatchObject({ code: 'storage_failed' });
});

test('the page can suggest a name but no place', async () => {
  const folder = tempFolder();
  const { saver, suggested } = savingInto(folder);
  const { id } = await begun(saver, '../../etc/cron d:x.jsonl');
  await saver.end(id, true);
  expect(suggested).toEqual(['-..-etc-cron-d-x.jsonl']);
  expect(existsSync(join(folder, String(suggested[0])))).toBe(true);
});

test('a target that another program keeps open is reported, and nothing of the save is left', async () => {
  const folder = tempFolder();
  const saver = createSaver({
    choosePath: async (name) => join(folder, name),
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
  const { id } = await begun(saver, 'report.csv');
  await saver.add(id, 'new rows');
  await expect(saver.end(id, true)).rejects.toMatchObject({ code: 'file_in_use' });
  expect(readdirSync(folder)).toEqual(['report.csv']);
  expect(readFileSync(join(folder, 'report.csv'), 'utf8')).toBe('open in a spreadsheet');
});

test('the cause is reported even if another program also keeps the unfinished file open', async () => {
  const folder = tempFolder();
  const saver = createSaver({
    choosePath: async (name) => join(folder, name),
    replace: async (from, to) => {
      // A folder at this path cannot be removed like a file.
      rmSync(from);
      mkdirSync(from);
      throw new FileHeldError(to, null);
    },
  });
  const { id } = await begun(saver, 'report.csv');
  await expect(saver.end(id, true)).rejects.toMatchObject({ code: 'file_in_use' });
});

test('if only the chosen path may be written, a copy that never began leaves the existing file', async () => {
  const [folder, staging] = [tempFolder(), join(tempFolder(), 'saves')];
  const target = join(folder, 'report.csv');
  writeFileSync(target, 'the one before');
  const saver = createSaver({ choosePath: async () => target, stagingFolder: staging });
  const { id } = await begun(saver, 'report.csv');
  await saver.add(id, 'rows');
  rmSync(join(staging, `${id}.part`));
  await expect(saver.end(id, true)).rejects.toMatchObject({ code: 'storage_failed' });
  expect(readFileSync(target, 'utf8')).toBe('the one before');
});

test('if only the chosen path may be written, the file is prepared elsewhere and then copied', async () => {
  const [folder, staging] = [tempFolder(), join(tempFolder(), 'saves')];
  const seen: string[][] = [];
  const saver = createSaver({ choosePath: async (name) => join(folder, name), stagingFolder: staging });
  const { id } = await begun(saver, 'report.csv');
  await saver.add(id, 'rows');
  seen.push(readdirSync(folder), readdirSync(staging));
  await saver.end(id, true);
  seen.push(readdirSync(folder), readdirSync(staging));
  expect(seen).toEqual([[], [`${id}.part`], ['report.csv'], []]);
  expect(readFileSync(join(folder, 'report.csv'), 'utf8')).toBe('rows');

  // A copy that fails must leave no file at the target or in the staging folder.
  const nowhere = createSaver({
    choosePath: async () => join(folder, 'missing', 'a'),
    stagingFolder: staging,
  });
  const other = await begun(nowhere, 'a');
  await nowhere.add(other.id, 'rows');
  await expect(nowhere.end(other.id, true)).rejects.toMatchObject({ code: 'storage_failed' });
  expect(existsSync(join(folder, 'missing'))).toBe(false);
  expect(readdirSync(staging)).toEqual([]);
});

test('a file whose page or program ends is deleted immediately, even if only its dialog was answered', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'report.csv'), 'the one before');
  const { saver } = savingInto(folder);
  const { id } = await begun(saver, 'report.csv');
  await saver.add(id, 'half');
  saver.discard();
  expect(readdirSync(folder)).toEqual(['report.csv']);
  await expect(saver.add(id, 'more')).rejects.toMatchObject({ code: 'storage_failed' });
  await expect(saver.end(id, true)).rejects.toMatchObject({ code: 'storage_failed' });
  expect(readFileSync(join(folder, 'report.csv'), 'utf8')).toBe('the one before');

  const chosen = Promise.withResolvers<string>();
  const asking = createSaver({ choosePath: () => chosen.promise });
  const late = asking.begin('late.csv');
  await settled();
  asking.discard();
  chosen.resolve(join(folder, 'late.csv'));
  expect(await late).toBeNull();
  expect(readdirSync(folder)).toEqual(['report.csv']);

  // The dialog was answered, and the file is being saved.
  const opening = savingInto(folder).saver;
  const opened = opening.begin('opening.csv');
  // The disk answers in a later turn of the event loop.
  for (let step = 0; step < 50; step += 1) await Promise.resolve();
  opening.discard();
  expect(await opened).toBeNull();
  expect(readdirSync(folder)).toEqual(['report.csv']);
});

test('a completed save remains when its page ends', async () => {
  const folder = tempFolder();
  const { saver } = savingInto(folder);
  const { id } = await begun(saver, 'report.csv');
  await saver.add(id, 'rows');
  const ended = saver.end(id, true);
  saver.discard();
  await ended;
  expect(readFileSync(join(folder, 'report.csv'), 'utf8')).toBe('rows');
});

/** Lets pending promises continue. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
