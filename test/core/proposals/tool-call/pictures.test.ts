import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { pictureIn } from '#core/proposals/operations/tool-call/picture-argument.ts';
import { argumentsInWords } from '#shared/wording/index.ts';
import { assertReadable } from '#core/proposals/operations/tool-call/prepare.ts';
import { chunk, frame, jpeg, png, samples, segment } from '#test/core/backend/uploads/pictures.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const scan = segment(0xda, [1, 1, 0, 0, 63, 0]);
const text = Buffer.from('Raise every budget. '.repeat(50));

/** A grey GIF of one picture, with these blocks before it. */
function gif(...blocks: number[][]): Buffer {
  const image = [0x2c, 0, 0, 0, 0, 8, 0, 8, 0, 0, 2, 2, 0x8c, 0x51, 0];
  const screen = [...Buffer.from('GIF89a'), 8, 0, 8, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255];
  return Buffer.from([...screen, ...blocks.flat(), ...image, 0x3b]);
}

const comment = [0x21, 0xfe, 5, ...Buffer.from('Hello'), 0];
const secondImage = [0x2c, 0, 0, 0, 0, 8, 0, 8, 0, 0, 2, 2, 0x8c, 0x51, 0];

function withData(data: Buffer): Buffer {
  const whole = png(96, 96);
  return Buffer.concat([whole.subarray(0, 33), chunk('IDAT', data), whole.subarray(whole.length - 12)]);
}

const dataOf = (whole: Buffer): Buffer => whole.subarray(41, whole.length - 16);

describe('a picture in base64 is shown as its size and hash, and drawn:', () => {
  test.each<[string, Buffer, string]>([
    ['a PNG', png(300, 200), 'a picture (PNG, 300 × 200, '],
    ['a JPEG', samples.jpeg, 'a picture (JPEG, 192 × 192, '],
    ['a lossy WebP', samples.lossyWebp, 'a picture (WEBP, 300 × 200, '],
    ['a lossless WebP', samples.losslessWebp, 'a picture (WEBP, 192 × 192, '],
    ['an extended WebP', samples.extendedWebp, 'a picture (WEBP, 200 × 200, '],
    ['a still GIF', gif([0x21, 0xf9, 4, 0, 0, 0, 0, 0]), 'a picture (GIF, 8 × 8, '],
  ])('%s', (_what, bytes, words) => {
    const base64 = bytes.toString('base64');
    const [line, ...more] = argumentsInWords({ icon: base64 }, pictureIn, defaultFormats);
    expect(more).toEqual([]);
    expect(line).toMatchObject({ path: 'icon', picture: { base64 } });
    expect(line?.value).toContain(words);
    expect(line?.value).toMatch(/bytes\), SHA-256 [0-9a-f]{64}$/);
    // A picture in a list keeps a line of its own.
    expect(argumentsInWords({ list: ['a', base64] }, pictureIn, defaultFormats)).toEqual([
      { path: 'list[0]', value: '“a”' },
      expect.objectContaining({ path: 'list[1]', picture: expect.anything() as unknown }),
    ]);
  });
});

describe('any other text is shown in full:', () => {
  test.each<[string, Buffer | string]>([
    ['letters of the base64 alphabet', 'PleaseRaiseEveryBudget0/'.repeat(43).slice(0, 1_024)],
    ['base64 of a text', text],
    ['a PNG with a text', png(96, 96, [chunk('tEXt', text)])],
    ['a PNG with an unknown chunk', png(96, 96, [chunk('noTe', text)])],
    ['a PNG with something after its end', Buffer.concat([png(96, 96), text])],
    ['a PNG with a text after its pixels', withData(Buffer.concat([dataOf(png(96, 96)), text]))],
    ['a PNG whose pixels are a text', withData(text)],
    ['a PNG whose checksum is wrong', Buffer.from(png(96, 96)).fill(7, 29, 33)],
    ['a PNG that cannot be drawn', png(5_000, 4_000)],
    ['a PNG without a width', png(0, 96)],
    ['a PNG with a long profile', png(96, 96, [chunk('iCCP', Buffer.alloc(20_000, 'x'))])],
    ['a JPEG with a comment', jpeg(segment(0xfe, [...text]), frame(300, 200), scan, [5])],
    ['a JPEG with notes', jpeg(segment(0xe1, [...text]), frame(300, 200), scan, [5])],
    ['a JPEG with something after its end', Buffer.concat([samples.jpeg, text])],
    ['a WebP with something after its end', Buffer.concat([samples.lossyWebp, text])],
    ['a GIF with a comment', gif(comment)],
    ['an animated GIF', gif(secondImage)],
    ['a GIF with something after its end', Buffer.concat([gif(), text])],
    ['a truncated GIF', gif().subarray(0, 30)],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ])('%s', (_what, given) => {
    const argument = typeof given === 'string' ? given : given.toString('base64');
    expect(argumentsInWords({ data: argument }, pictureIn, defaultFormats)).toEqual([
      { path: 'data', value: `“${argument}”` },
    ]);
  });

  test('even a picture in base64url or with a line break', () => {
    const url = png(96, 96).toString('base64url');
    expect(argumentsInWords({ url, lines: `${url}\n` }, pictureIn, defaultFormats)[0]).not.toHaveProperty(
      'picture',
    );
  });
});

test('a long list of numbers is refused as more than a person can look through', () => {
  const list = (length: number) => ({ list: Array.from({ length }, () => 0) });
  expect(() => assertReadable(list(100_000))).not.toThrow();
  expect(() => assertReadable(list(200_000))).toThrow('more than a person can look through');
});

test('a text shown in full counts with all of its characters, and a picture counts as one item', () => {
  const letters = 'QUJD'.repeat(150_000);
  expect(() => assertReadable({ letters })).toThrow('more than a person can look through');
  const noise = png(1_500, 1_000).toString('base64');
  const pictures = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, noise]));
  expect(() => assertReadable(pictures(3))).not.toThrow();
  const large = withPixels(900).toString('base64');
  expect(large.length).toBeGreaterThan(500_000);
  expect(() => assertReadable({ large })).not.toThrow();
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`p${at}`, large]));
  expect(() => assertReadable(many)).toThrow('more than a person can look through');
});

/** A PNG whose pixels do not compress. */
function withPixels(side: number): Buffer {
  const whole = png(side, side);
  let seed = 1;
  const pixels = Buffer.alloc((side + 1) * side);
  for (let at = 0; at < pixels.length; at += 1) {
    seed = (seed * 48_271) % 2_147_483_647;
    pixels[at] = at % (side + 1) === 0 ? 0 : seed & 0xff;
  }
  return Buffer.concat([
    whole.subarray(0, 33),
    chunk('IDAT', deflateSync(pixels)),
    whole.subarray(whole.length - 12),
  ]);
}
