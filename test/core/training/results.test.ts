import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkResult } from '#core/training/index.ts';
import type { CheckedResult } from '#shared/app-api/index.ts';
import { expectMode } from '#test/servers/file-mode.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { attemptOf, writeAttempts } from './attempts.ts';
import { openTraining, type TrainingWorld } from './training-world.ts';

const attempts = [
  attemptOf('Ana Lúcia', 'a1'),
  attemptOf('Ana Lúcia', 'a2', { endedAtMs: 1_795_000_000_000 }),
];

async function openWithAttempts(): Promise<TrainingWorld> {
  const folder = tempFolder();
  await writeAttempts(folder, attempts);
  return openTraining({ folder });
}

const check = async ({ core }: TrainingWorld, text: string): Promise<CheckedResult['result'] | undefined> => {
  const files = [{ fileName: 'file.json', text }];
  return (await core.handlers['training.checkResults']({ files })).results[0]?.result;
};

test('a result file is verified on any computer, with the fingerprint of the computer that saved it', async () => {
  const world = await openWithAttempts();
  const { fileName, text } = await world.core.handlers['training.resultFile']({});
  expect(fileName).toMatch(/^countersign-training-ana-lúcia-\d{4}-\d\d-\d\d\.json$/);
  const { keyFingerprint } = await world.core.handlers['training.home']({});
  expect(keyFingerprint).toMatch(/^([0-9a-f]{4} ){7}[0-9a-f]{4}$/);
  const lead = await openTraining();
  expect(await check(lead, text)).toMatchObject({
    kind: 'intact',
    name: 'Ana Lúcia',
    keyFingerprint,
    attempts: [{ id: 'a2' }, { id: 'a1' }],
    progress: expect.arrayContaining([{ kind: 'bid', met: 4, caught: 2, isReliable: false }]) as unknown,
  });
  expect((await lead.core.handlers['training.home']({})).keyFingerprint).not.toBe(keyFingerprint);
});

test('the signing key is created once, in a file that only its owner can read', async () => {
  const world = await openWithAttempts();
  const { keyFingerprint } = await world.core.handlers['training.home']({});
  const again = await world.restart();
  expect((await again.core.handlers['training.home']({})).keyFingerprint).toBe(keyFingerprint);
  expectMode(join(world.folder, 'training.sqlite'), 0o600);
});

test.each([
  ['more than 2,000 attempts', 2_001, 1, 'Ana Lúcia'],
  ['more text than a page opens', 1_000, 60, '学'.repeat(60)],
])(
  'a result file of %s contains as many of the newest as every reader accepts',
  async (_what, count, faults, name) => {
    const folder = tempFolder();
    const met = Array.from({ length: faults }, () => ({ kind: 'bid', isCaught: true }) as const);
    const made = Array.from({ length: count }, (_, at) =>
      attemptOf(name, `a${at}`, { endedAtMs: 1_795_000_000_000 + at, faults: met }),
    );
    await writeAttempts(folder, made);
    const { text } = await (await openTraining({ folder })).core.handlers['training.resultFile']({});
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000_000);
    const { kind, result } = checkResult(text) as { kind: string; result: { attempts: { id: string }[] } };
    expect(kind).toBe('intact');
    expect(result.attempts.length).toBeGreaterThan(250);
    expect(result.attempts.map(({ id }) => id)).toEqual(
      made
        .toReversed()
        .slice(0, result.attempts.length)
        .map(({ id }) => id),
    );
  },
);

test('a trainee’s name can have 60 characters of any script, and its result file has a name valid on every system', async () => {
  const { core } = await openTraining();
  const name = '\u{20000}'.repeat(60);
  expect((await core.handlers['training.setName']({ name })).name).toBe(name);
  const { fileName, text } = await core.handlers['training.resultFile']({});
  expect(Buffer.byteLength(fileName)).toBeLessThanOrEqual(255);
  expect(checkResult(text)).toMatchObject({ kind: 'intact', result: { name } });
  await expect(core.handlers['training.setName']({ name: `${name}x` })).rejects.toMatchObject({
    code: 'bad_input',
  });
});

test('several result files can be checked at once, each separately', async () => {
  const world = await openWithAttempts();
  const { text } = await world.core.handlers['training.resultFile']({});
  const files = [
    { fileName: 'one.json', text },
    { fileName: 'two.json', text: 'nothing' },
    { fileName: 'three.json', text: text.replace('"points": 50', '"points": 100') },
  ];
  const { results } = await world.core.handlers['training.checkResults']({ files });
  expect(results.map(({ fileName, result }) => [fileName, result.kind])).toEqual([
    ['one.json', 'intact'],
    ['two.json', 'refused'],
    ['three.json', 'refused'],
  ]);
});
