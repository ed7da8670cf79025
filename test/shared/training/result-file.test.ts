import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkResult } from '#core/training/index.ts';
import { readResult, signedText, type TrainingResult, writeResult } from '#shared/training/result/index.ts';
import { runs } from '#test/setup/property-runs.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const rawKey = publicKey.export({ format: 'jwk' }).x ?? '';

const result: TrainingResult = {
  format: 'countersign-training-result',
  version: 1,
  name: 'Ana',
  savedAtMs: 1_795_000_000_000,
  publicKey: rawKey,
  attempts: [
    {
      id: 'a1',
      name: 'Ana',
      mission: 'bids',
      seed: 7,
      beganAtMs: 1_794_999_000_000,
      endedAtMs: 1_794_999_500_000,
      score: { points: 50, caught: 1, missed: 1, falseAlarms: 0, fine: 5, undecided: 0, medianMs: 8_250 },
      faults: [
        { kind: 'bid', isCaught: true },
        { kind: 'bid', isCaught: false },
      ],
    },
  ],
};

const file = writeResult(
  result,
  sign(null, Buffer.from(signedText(result), 'utf8'), privateKey).toString('base64url'),
);

const isIntact = (text: string): boolean => checkResult(text).kind === 'intact';

test('a result file is read back as saved, and its signature is valid', () => {
  const read = readResult(file);
  expect(read).toMatchObject({ kind: 'read', result });
  expect(isIntact(file)).toBe(true);
});

test('spaces and the order of members do not affect the signature', () => {
  const { attempts, ...rest } = JSON.parse(file) as TrainingResult;
  expect(isIntact(JSON.stringify({ attempts, ...rest }))).toBe(true);
});

test('an impossible time of saving is refused, whoever signed it', () => {
  const later = { ...result, savedAtMs: 9e15 };
  const signature = sign(null, Buffer.from(signedText(later), 'utf8'), privateKey).toString('base64url');
  expect(readResult(writeResult(later, signature))).toMatchObject({ kind: 'refused' });
});

describe('an edited result file is refused:', () => {
  const edits: [string, (text: string) => string][] = [
    ['more points', (text) => text.replace('"points": 50', '"points": 100')],
    ['a fault caught', (text) => text.replace('"isCaught": false', '"isCaught": true')],
    ['another name', (text) => text.replaceAll('Ana', 'Bob')],
    ['another name in the file only', (text) => text.replace('Ana', 'Bob')],
    ['a space in the name', (text) => text.replaceAll('"Ana"', '" Ana"')],
    ['a member more', (text) => text.replace('"seed": 7', '"seed": 7, "note": "x"')],
    ['a member twice', (text) => text.replace('"seed": 7', '"seed": 7, "seed": 7')],
    ['another time', (text) => text.replace('1795000000000', '1795000000001')],
    ['no attempts', (text) => JSON.stringify({ ...(JSON.parse(text) as object), attempts: [] })],
    ['cut', (text) => text.slice(0, -20)],
  ];
  test.each(edits)('%s', (_name, edit) => {
    expect(edit(file)).not.toBe(file);
    expect(isIntact(edit(file))).toBe(false);
  });

  test('with another key, or the signature of another file', () => {
    const other = generateKeyPairSync('ed25519');
    const theirs = { ...result, publicKey: other.publicKey.export({ format: 'jwk' }).x ?? '' };
    const signature = (of: TrainingResult, key: KeyObject): string =>
      sign(null, Buffer.from(signedText(of), 'utf8'), key).toString('base64url');
    for (const edited of [
      writeResult(theirs, signature(result, privateKey)),
      writeResult(result, signature(theirs, other.privateKey)),
      writeResult(result, signature({ ...result, name: 'Bob' }, privateKey)),
    ]) {
      expect(checkResult(edited)).toEqual({
        kind: 'refused',
        reason: 'The file was edited: its signature is not that of what it says.',
      });
    }
  });

  test('any single character', () => {
    fc.assert(
      fc.property(fc.nat(file.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, character) => {
        const text = file.slice(0, at) + character + file.slice(at + 1);
        const isSame = text === file || JSON.stringify(parsed(text)) === JSON.stringify(JSON.parse(file));
        expect(isIntact(text)).toBe(isSame);
      }),
      runs(300),
    );
  });
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

describe('a refused result file states the reason:', () => {
  const cases: [string, string, RegExp][] = [
    ['no JSON', 'points: 100', /damaged or is not a result file/],
    ['another file', '{"format":"something"}', /not a result file/],
    ['a list', '[]', /not a result file/],
    ['a later version', file.replace('"version": 1', '"version": 2'), /another version/],
    [
      'a wrong value',
      file.replace('"points": 50', '"points": 101'),
      /attempts\[1\]\.score\.points is not valid/,
    ],
    ['too large', ' '.repeat(2_000_001), /too large/],
    ['a part of its own', file.replace('"seed": 7', '"seed": 7, "x": 1'), /parts that no result file has/],
  ];
  test.each(cases)('%s', (_name, text, reason) => {
    expect(readResult(text)).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(reason) as string,
    });
  });
});
