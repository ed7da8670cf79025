import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BadPicture, readPicture } from '#core/platform/pictures/read-picture.ts';
import { chunk, frame, jpeg, png, samples, segment } from '#test/core/backend/uploads/pictures.ts';
import { runs } from '#test/setup/property-runs.ts';

const scan = segment(0xda, [1, 1, 0, 0, 63, 0]);
const thumbnail = segment(0xe1, [...jpeg(frame(160, 120), scan, [1, 2])]);
const { losslessWebp, extendedWebp, lossyWebp } = samples;

/** Returns the WebP with another length in its first header. */
function withLength(webp: Buffer, length: number): Buffer {
  const copy = Buffer.from(webp);
  copy.writeUInt32LE(length, 4);
  return copy;
}

function withByte(webp: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(webp);
  copy[at] = value;
  return copy;
}

describe('type and size are read from the bytes of', () => {
  const cases: [string, Buffer, string, number, number][] = [
    ['a PNG', png(300, 200), 'image/png', 300, 200],
    ['a PNG with a text', png(96, 96, [chunk('tEXt', Buffer.from('a\0b'))]), 'image/png', 96, 96],
    ['a baseline JPEG', samples.jpeg, 'image/jpeg', 192, 192],
    [
      'a progressive JPEG of several scans, with stuffed bytes and restarts',
      jpeg(frame(640, 400, 0xc2), scan, [1, 0xff, 0, 0xff, 0xd0, 2], segment(0xc4, [0]), scan, [3]),
      'image/jpeg',
      640,
      400,
    ],
    ['a JPEG with a thumbnail inside', jpeg(thumbnail, frame(300, 200), scan, [5]), 'image/jpeg', 300, 200],
    ['a JPEG with fill bytes', jpeg([0xff, 0xff], frame(300, 200), scan, [5]), 'image/jpeg', 300, 200],
    ['a lossy WebP', lossyWebp, 'image/webp', 300, 200],
    ['a lossless WebP', losslessWebp, 'image/webp', 192, 192],
    ['an extended WebP', extendedWebp, 'image/webp', 200, 200],
  ];
  test.each(cases)('%s', (_name, bytes, type, width, height) => {
    expect(readPicture(bytes)).toEqual({ type, width, height });
  });
});

describe('a picture is refused:', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="192" height="192"><script/></svg>';
  const cases: [string, Buffer, RegExp][] = [
    ['nothing', Buffer.alloc(0), /not those of/],
    ['an SVG', Buffer.from(svg), /not those of/],
    ['a GIF', Buffer.from('GIF89a\x60\0\x60\0', 'latin1'), /not those of/],
    ['a page', Buffer.from('<!doctype html><script>'), /not those of/],
    ['a PNG with a ZIP behind it', Buffer.concat([png(96, 96), Buffer.from('PK\x03\x04')]), /something else/],
    ['a JPEG with a page behind it', Buffer.concat([samples.jpeg, Buffer.from('<html>')]), /something else/],
    ['a WebP with a script behind it', Buffer.concat([lossyWebp, Buffer.from('//js')]), /something else/],
    ['half a PNG', png(96, 96).subarray(0, 60), /cut off/],
    ['half a JPEG', samples.jpeg.subarray(0, 200), /cut off/],
    ['half a WebP', lossyWebp.subarray(0, 100), /cut off/],
    ['a PNG without a header first', png(96, 96).subarray(0, 8), /cut off/],
    [
      'a PNG without data',
      Buffer.concat([png(9, 9).subarray(0, 33), chunk('IEND', Buffer.alloc(0))]),
      /no picture/,
    ],
    [
      'a PNG whose chunk ends nowhere',
      Buffer.concat([png(9, 9).subarray(0, 33), Buffer.from('7fffffff49444154', 'hex')]),
      /cut off/,
    ],
    ['an animated PNG', png(96, 96, [chunk('acTL', Buffer.alloc(8))]), /Animated/],
    ['an animated WebP', withByte(extendedWebp, 20, 0x12), /Animated/],
    ['a WebP that names two sizes', withByte(extendedWebp, 24, 0x40), /two sizes/],
    [
      'a WebP that hides its end',
      withLength(Buffer.concat([lossyWebp, lossyWebp.subarray(12)]), 2 * lossyWebp.length - 12 - 8),
      /more than one/,
    ],
    ['a JPEG with two frames', jpeg(frame(300, 200), frame(3000, 2000), scan, [5]), /more than one/],
    ['a JPEG without a picture', jpeg(segment(0xe0, [1])), /no picture/],
    ['a JPEG with a length of nothing', jpeg([0xff, 0xe0, 0, 0]), /damaged/],
  ];
  test.each(cases)('%s', (_name, bytes, words) => {
    expect(() => readPicture(bytes)).toThrow(BadPicture);
    expect(() => readPicture(bytes)).toThrow(words);
  });

  test('any damage of a picture is reported, and never causes an endless loop', () => {
    const files = [png(96, 96), samples.jpeg, lossyWebp, losslessWebp, extendedWebp];
    const change = fc.record({ at: fc.nat(), value: fc.nat(255) });
    fc.assert(
      fc.property(fc.constantFrom(...files), fc.array(change, { minLength: 1 }), (file, changes) => {
        const bytes = Buffer.from(file);
        for (const { at, value } of changes) bytes[at % bytes.length] = value;
        try {
          readPicture(bytes);
        } catch (failure) {
          expect(failure).toBeInstanceOf(BadPicture);
        }
      }),
      runs(2_000),
    );
  });
});
