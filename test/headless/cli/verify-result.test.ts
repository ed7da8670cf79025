import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { composeTraining } from '#core/public.ts';
import { signedText, writeResult } from '#shared/training/result/index.ts';
import { publicKeyOf, signBytes } from '#system/ed25519.ts';
import { attemptOf, writeAttempts } from '#test/core/training/attempts.ts';
import { has } from '#test/servers/abilities.ts';
import { temporaryFolder } from '../folder.ts';
import { run } from '../process.ts';

const dataFolder = mkdtempSync(join(tmpdir(), 'countersign-training-'));
let text = '';
let fingerprint = '';

// A computer on which Bo has trained twice.
beforeAll(async () => {
  await writeAttempts(dataFolder, [attemptOf('Bo', 'b1'), attemptOf('Bo', 'b2')]);
  const core = await composeTraining({
    dataFolder,
    host: 'terminal',
    version: '0.0.0',
    confirmer: { via: 'terminal', show: async () => ({ address: null }), hide() {} },
  });
  ({ text } = await core.handlers['training.resultFile']({}));
  fingerprint = (await core.handlers['training.home']({})).keyFingerprint;
  await core.dispose();
});
afterAll(() => rmSync(dataFolder, { recursive: true }));

function fileOf(content: string): string {
  const file = join(temporaryFolder(), 'result.json');
  writeFileSync(file, content);
  return file;
}

describe('an unchanged result file', () => {
  test('is intact, and the verdict says what that proves and what it does not', async () => {
    const printed = await run(['verify-result', fileOf(text)]);
    expect(printed.code).toBe(0);
    expect(printed.text).toContain('The result file is intact.');
    expect(printed.text).toContain('name      “Bo”');
    expect(printed.text).toContain('2 attempts');
    expect(printed.text).toContain('reliable  0 of 16 kinds of fault');
    expect(printed.text).toContain('not yet   Wrong bid (2 of 4 caught)');
    expect(printed.text).toContain(fingerprint);
    expect(printed.text).toContain('Compare the key with the one that you noted');
    expect(printed.text).toContain('They do not prove who sat there');
  });

  test('has the key that was noted, with any grouping, and no other key', async () => {
    const file = fileOf(text);
    for (const noted of [fingerprint, fingerprint.replaceAll(' ', ''), fingerprint.toUpperCase()]) {
      expect((await run(['verify-result', file, '--key', noted])).code).toBe(0);
    }
    const other = await run(['verify-result', file, '--key', 'ab'.repeat(16)]);
    expect(other.code).toBe(3);
    expect(other.text).toContain(`REFUSED: It was signed with another key: ${fingerprint}.`);
    expect((await run(['verify-result', file, '--key', 'short'])).code).toBe(2);
  });
});

test('an edited file among others ends verify-result with 3 and a reason', async () => {
  const edited = fileOf(text.replace('"points": 50', '"points": 100'));
  const { code, text: printed } = await run(['verify-result', fileOf(text), edited]);
  expect(code).toBe(3);
  expect(printed).toContain('The result file is intact.');
  expect(printed).toContain('REFUSED: The file was edited: its signature is not that of what it says.');
});

test('verdicts are printed as JSON for scripts', async () => {
  const file = fileOf(text);
  const { code, text: printed } = await run(['verify-result', '--json', file, fileOf('{}')]);
  expect(code).toBe(3);
  expect(JSON.parse(printed)).toMatchObject([
    {
      file,
      kind: 'intact',
      keyFingerprint: fingerprint,
      result: { name: 'Bo' },
      progress: expect.arrayContaining([{ kind: 'bid', met: 4, caught: 2, isReliable: false }]) as unknown,
    },
    { kind: 'refused', reason: 'The file is not a result file.' },
  ]);
});

test('a name is escaped in the JSON so that it cannot control a terminal', async () => {
  const name = 'Bo\u009b2J\u202etxt';
  const { privateKey } = generateKeyPairSync('ed25519');
  const result = {
    format: 'countersign-training-result' as const,
    version: 1 as const,
    name,
    savedAtMs: 1,
    publicKey: publicKeyOf(privateKey).text,
    attempts: [],
  };
  const file = fileOf(writeResult(result, signBytes(Buffer.from(signedText(result)), privateKey)));
  const { code, text: printed } = await run(['verify-result', '--json', file]);
  expect(code).toBe(0);
  expect(printed).not.toMatch(/[\u0080-\u009f\u202e]/u);
  expect(JSON.parse(printed)).toMatchObject([{ result: { name } }]);
});

test('an unreadable file is refused with its name and the reason, and the others are checked', async () => {
  const folder = temporaryFolder();
  const circle = join(folder, 'circle.json');
  if (has.links) symlinkSync(circle, circle);
  const large = join(folder, 'large.json');
  writeFileSync(large, text);
  truncateSync(large, 3 * 2 ** 30);
  const bad: [file: string, reason: string][] = [
    [join(folder, 'none.json'), 'There is no such file. Check the path.'],
    [join(folder, 'n'.repeat(5_000)), 'The path is too long. Name the file from a folder that is nearer.'],
    [
      circle,
      has.links
        ? 'Its links lead in a circle. Name the file itself.'
        : 'There is no such file. Check the path.',
    ],
    [folder, 'It is no file.'],
    [large, 'The file is too large for a result file.'],
  ];
  const files = bad.map(([file]) => file);
  const { code, text: printed } = await run(['verify-result', '--json', ...files, fileOf(text)]);
  expect(code).toBe(3);
  expect(JSON.parse(printed)).toMatchObject([
    ...bad.map(([file, reason]) => ({ file, kind: 'refused', reason })),
    { kind: 'intact' },
  ]);
});
