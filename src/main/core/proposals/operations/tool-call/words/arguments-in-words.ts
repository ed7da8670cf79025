import { createHash } from 'node:crypto';
import { crc32, inflateSync, type InputType } from 'node:zlib';
import { BadPicture, type PicturePart, readKnownPicture } from '#core/platform/pictures/read-picture.ts';
import type { ArgumentPicture, ProposalView } from '#shared/app-api/index.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import { isJsonObject, type JsonObject, type JsonValue, memberPath } from '#shared/lib/json/json-value.ts';

import type { Formats } from '#shared/lib/formats.ts';
/** One argument for people: where it stands, and what it is. */
type ArgumentLine = Extract<ProposalView['detail'], { kind: 'tool' }>['args'][number];

/**
 * Every argument, path by path. Texts are quotations, so that none is taken for a number; a list of plain values is one line. Only a whole
 * picture stands as its size and hash, with the picture itself to be drawn; every other text stands in full.
 */
export function argsInWords(args: JsonObject, formats: Formats): ArgumentLine[] {
  return linesOf(args, '', formats);
}

function linesOf(value: JsonValue, path: string, formats: Formats): ArgumentLine[] {
  if (Array.isArray(value)) return listLines(value, path, formats);
  if (!isJsonObject(value)) return [plainLine(value, path, formats)];
  const entries = Object.entries(value);
  if (entries.length === 0 && path !== '') return [{ path, value: '{}' }];
  return entries.flatMap(([key, member]) => linesOf(member, memberPath(path, key), formats));
}

function listLines(list: readonly JsonValue[], path: string, formats: Formats): ArgumentLine[] {
  const isOneLine = list.every((item): item is Plain => isPlain(item) && !isPicture(item));
  if (isOneLine) return [{ path, value: `[${list.map(plainWords).join(', ')}]` }];
  return list.flatMap((item, index) => linesOf(item, `${path}[${index}]`, formats));
}

function plainLine(value: Plain, path: string, formats: Formats): ArgumentLine {
  const picture = typeof value === 'string' ? pictureIn(value) : null;
  if (picture === null) return { path, value: plainWords(value) };
  const { mediaType, base64 } = picture;
  return { path, value: pictureInWords(picture, formats), picture: { mediaType, base64 } };
}

type Plain = Exclude<JsonValue, JsonValue[] | JsonObject>;

function isPlain(value: JsonValue): value is Plain {
  return typeof value !== 'object' || value === null;
}

function isPicture(value: Plain): boolean {
  return typeof value === 'string' && pictureIn(value) !== null;
}

function plainWords(value: Plain): string {
  return typeof value === 'string' ? quoted(value) : String(value);
}

/** A text that is a picture and nothing else. Lengths in pixels. */
export interface PictureArgument extends ArgumentPicture {
  width: number;
  height: number;
  byteCount: number;
  /** SHA-256 of the bytes. */
  sha256: string;
}

/** Limits of a picture that a page draws: bytes and pixels. */
const maxBytes = 4 * 1024 * 1024;
const maxPixels = 16_000_000;

/** Maximum size of the data beside the pixels, in bytes: tables, a colour profile. */
const maxMetadataBytes = 16 * 1024;

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The parts that make the picture. Of the others none carries a text, notes or another picture. */
const data: ReadonlySet<string> = new Set(['IDAT', 'da', 'VP8 ', 'VP8L', 'ALPH', 'image']);
const beside: ReadonlySet<string> = new Set(
  [
    'IHDR PLTE IEND tRNS gAMA cHRM sRGB sBIT bKGD pHYs hIST tIME iCCP',
    'c0 c1 c2 c4 db dd e0 e2 ee',
    'VP8X ICCP',
    'f9',
  ].flatMap((names) => names.split(' ')),
);

/**
 * The picture that a text in base64 is: a whole, still PNG, JPEG, GIF or WebP with nothing after its end and no text in it, small enough to
 * be drawn. Null for every other text, which people read.
 */
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

/** The text of a picture for people, who see it beside. */
function pictureInWords(
  { mediaType, width, height, byteCount, sha256 }: PictureArgument,
  formats: Formats,
): string {
  const format = mediaType.slice('image/'.length).toUpperCase();
  return `a picture (${format}, ${width} × ${height}, ${formats.count(byteCount)} bytes), SHA-256 ${sha256}`;
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

/** Every chunk has its checksum, and the data are one stream of the right length with nothing after it (W3C PNG §5.3, §10). */
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
    // With `info` it gives the engine as well, which the types do not know.
    return inflateSync(stream, { info: true, maxOutputLength }) as unknown as ReturnType<typeof inflated>;
  } catch (cause) {
    throw new BadPicture('The PNG is damaged.', { cause });
  }
}
