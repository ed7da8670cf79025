import { createHash } from 'node:crypto';
import { crc32, inflateSync, type InputType } from 'node:zlib';
import { BadPicture, type PicturePart, readKnownPicture } from '#core/platform/pictures/read-picture.ts';
import type { PictureArgument } from '#shared/wording/index.ts';

const maxBytes = 4 * 1024 * 1024;
const maxPixels = 16_000_000;
const maxMetadataBytes = 16 * 1024;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** `data` lists the parts with the picture. `beside` lists other parts that can contain no text, notes or second picture. */
const data: ReadonlySet<string> = new Set(['IDAT', 'da', 'VP8 ', 'VP8L', 'ALPH', 'image']);
const beside: ReadonlySet<string> = new Set(
  [
    'IHDR PLTE IEND tRNS gAMA cHRM sRGB sBIT bKGD pHYs hIST tIME iCCP',
    'c0 c1 c2 c4 db dd e0 e2 ee',
    'VP8X ICCP',
    'f9',
  ].flatMap((names) => names.split(' ')),
);

/** A still PNG, JPEG, GIF or WebP in base64: complete, small enough to draw, without text, nothing after its end. Otherwise null. */
export function pictureIn(text: string): PictureArgument | null {
  if (text.length > (4 * maxBytes) / 3 + 4 || text.length % 4 !== 0 || !base64.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) return null;
  try {
    const { type: mediaType, width, height } = readWhole(bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { mediaType, base64: text, width, height, byteCount: bytes.length, sha256 };
  } catch (failure) {
    if (failure instanceof BadPicture) return null;
    throw failure;
  }
}

function readWhole(bytes: Buffer): ReturnType<typeof readKnownPicture> {
  const parts: PicturePart[] = [];
  const header = readKnownPicture(bytes, (part) => void parts.push(part));
  const others = parts.filter(({ name }) => !data.has(name));
  const besides = others.reduce((sum, { length }) => sum + length, 0);
  if (besides > maxMetadataBytes || !others.every(({ name }) => beside.has(name))) {
    throw new BadPicture('There is more in it than a picture.');
  }
  const pixels = header.width * header.height;
  if (pixels === 0 || pixels > maxPixels) throw new BadPicture('It is too large to be drawn.');
  if (header.type === 'image/png') assertInflates(bytes, { parts, pixels });
  return header;
}

/** Verifies every checksum, and that the data are one stream of the right length (W3C PNG §5.3, §10). */
function assertInflates(
  bytes: Buffer,
  { parts, pixels }: { parts: readonly PicturePart[]; pixels: number },
): void {
  for (const { at, length } of parts) {
    if (crc32(bytes.subarray(at - 4, at + length)) !== bytes.readUInt32BE(at + length)) {
      throw new BadPicture('The PNG is damaged.');
    }
  }
  const stream = Buffer.concat(
    parts.filter(({ name }) => name === 'IDAT').map(({ at, length }) => bytes.subarray(at, at + length)),
  );
  const { buffer, engine } = inflated(stream, 8 * pixels + 8 * 65_536);
  if (engine.bytesWritten !== stream.length || buffer.length < pixels / 8) {
    throw new BadPicture('There is more in it than a picture.');
  }
}

function inflated(
  stream: InputType,
  maxOutputLength: number,
): { buffer: Buffer; engine: { bytesWritten: number } } {
  try {
    // With `info`, the function also returns the engine, which its types omit.
    return inflateSync(stream, { info: true, maxOutputLength }) as unknown as ReturnType<typeof inflated>;
  } catch (cause) {
    throw new BadPicture('The PNG is damaged.', { cause });
  }
}
