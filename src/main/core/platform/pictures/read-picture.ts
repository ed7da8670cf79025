const firstChunk = 12;
const animationFlag = 0x02;

interface PictureSize {
  width: number;
  height: number;
}

function isWebp(bytes: ByteReader): boolean {
  return bytes.length >= firstChunk && bytes.text(0, 4) === 'RIFF' && bytes.text(8, 4) === 'WEBP';
}

/** Walks the chunks, which must fill the file, and reads the canvas size (RFC 9649 §2). Fails with `BadPicture`. */
function readWebp(bytes: ByteReader, see: SeePart): PictureHeader<'image/webp'> {
  if (bytes.u32le(4) + 8 !== bytes.length) {
    throw new BadPicture('The picture is cut off, or there is something else after its end.');
  }
  let canvas: PictureSize | null = null;
  let picture: PictureSize | null = null;
  for (let at = firstChunk; at < bytes.length;) {
    const type = bytes.text(at, 4);
    const data = at + 8;
    if (type === 'ANIM' || type === 'ANMF') throw new BadPicture('Animated pictures are not taken.');
    if (type === 'VP8X') canvas = canvasAt(bytes, data);
    if (type === 'VP8 ' || type === 'VP8L') {
      if (picture !== null) throw new BadPicture('The WebP holds more than one picture.');
      picture = type === 'VP8L' ? losslessAt(bytes, data) : lossyAt(bytes, data);
    }
    const length = bytes.u32le(at + 4);
    see({ name: type, at: data, length });
    at = data + length + (length % 2);
    if (at > bytes.length) throw new BadPicture('The picture is cut off.');
  }
  if (picture === null) throw new BadPicture('The WebP holds no picture.');
  if (canvas !== null && (canvas.width !== picture.width || canvas.height !== picture.height)) {
    throw new BadPicture('The WebP names two sizes.');
  }
  return { type: 'image/webp', ...picture };
}

/** Reads the canvas of a VP8X chunk (RFC 9649 §2.7.1). */
function canvasAt(bytes: ByteReader, at: number): PictureSize {
  if ((bytes.byte(at) & animationFlag) !== 0) throw new BadPicture('Animated pictures are not taken.');
  return { width: bytes.u24le(at + 4) + 1, height: bytes.u24le(at + 7) + 1 };
}

/** Reads a lossy key frame: start code, then 14 bits each for width and height (RFC 6386 §9.1). */
function lossyAt(bytes: ByteReader, at: number): PictureSize {
  if ((bytes.byte(at) & 1) !== 0 || bytes.text(at + 3, 3) !== '\x9d\x01\x2a') {
    throw new BadPicture('The WebP is damaged.');
  }
  return { width: bytes.u16le(at + 6) & 0x3fff, height: bytes.u16le(at + 8) & 0x3fff };
}

/** Reads a lossless header: signature, then 14 bits each for width and height minus one (RFC 9649 §3.4). */
function losslessAt(bytes: ByteReader, at: number): PictureSize {
  if (bytes.byte(at) !== 0x2f) throw new BadPicture('The WebP is damaged.');
  const bits = bytes.u32le(at + 1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

const marker = { start: 0xd8, end: 0xd9, scan: 0xda, temporary: 0x01 } as const;

function isJpeg(bytes: ByteReader): boolean {
  return bytes.length >= 3 && bytes.u16(0) === 0xffd8 && bytes.byte(2) === 0xff;
}

/** Walks the segments to the frame header and the end marker, which must end the file (ITU-T T.81 §B). Fails with `BadPicture`. */
function readJpeg(bytes: ByteReader, see: SeePart): PictureHeader<'image/jpeg'> {
  let header: PictureHeader<'image/jpeg'> | null = null;
  let hasScan = false;
  for (let at = 2; ;) {
    if (bytes.byte(at) !== 0xff) throw new BadPicture('The JPEG is damaged.');
    const code = bytes.byte(at + 1);
    if (code === 0xff) at += 1;
    else if (code === marker.end) {
      if (at + 2 !== bytes.length)
        throw new BadPicture('There is something else after the end of the picture.');
      if (header === null || !hasScan) throw new BadPicture('The JPEG holds no picture.');
      return header;
    } else {
      if (standsAlone(code)) throw new BadPicture('The JPEG is damaged.');
      if (isFrame(code)) header = frameAt(bytes, at, header);
      if (code === marker.scan) hasScan = true;
      const length = bytes.u16(at + 2);
      if (length < 2) throw new BadPicture('The JPEG is damaged.');
      see({ name: code.toString(16), at: at + 4, length: length - 2 });
      at += 2 + length;
      if (code === marker.scan) at = endOfScan(bytes, at);
    }
  }
}

function frameAt(
  bytes: ByteReader,
  at: number,
  earlier: PictureHeader<'image/jpeg'> | null,
): PictureHeader<'image/jpeg'> {
  // Two frame headers could contain two different sizes.
  if (earlier !== null) throw new BadPicture('The JPEG holds more than one picture.');
  return { type: 'image/jpeg', height: bytes.u16(at + 5), width: bytes.u16(at + 7) };
}

/** SOF0 to SOF15. The codes of DHT, JPG and DAC must be excluded, because they are in that range but are not frames. */
function isFrame(code: number): boolean {
  return code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;
}

/** Markers without a length field, which must not occur between segments. */
function standsAlone(code: number): boolean {
  return code === marker.temporary || code === 0 || (code >= 0xd0 && code <= marker.start);
}

function endOfScan(bytes: ByteReader, from: number): number {
  for (let at = from; ; at += 1) {
    if (bytes.byte(at) !== 0xff) continue;
    const code = bytes.byte(at + 1);
    if (code !== 0 && code !== 0xff && !(code >= 0xd0 && code <= 0xd7)) return at;
  }
}

const extension = 0x21;
const image = 0x2c;
const trailer = 0x3b;

/** Bit 7 of a packed field: a colour table follows. The lowest three bits contain its size. */
const hasTable = 0x80;

function isGif(bytes: ByteReader): boolean {
  return bytes.length >= 6 && ['GIF87a', 'GIF89a'].includes(bytes.text(0, 6));
}

/** Walks the blocks to the trailer, which must end the file (GIF89a §18 to §27). Fails with `BadPicture`, also for several pictures. */
function readGif(bytes: ByteReader, see: SeePart): PictureHeader<'image/gif'> {
  const header: PictureHeader<'image/gif'> = {
    type: 'image/gif',
    width: bytes.u16le(6),
    height: bytes.u16le(8),
  };
  let hasImage = false;
  for (let at = 13 + tableLength(bytes.byte(10)); ;) {
    switch (bytes.byte(at)) {
      case trailer:
        if (at + 1 !== bytes.length)
          throw new BadPicture('There is something else after the end of the picture.');
        if (!hasImage) throw new BadPicture('The GIF holds no picture.');
        return header;
      case extension: {
        const from = at + 2;
        at = endOfBlocks(bytes, from);
        see({ name: bytes.byte(from - 1).toString(16), at: from, length: at - from });
        break;
      }
      case image: {
        if (hasImage) throw new BadPicture('Animated pictures are not taken.');
        hasImage = true;
        const from = at + 11 + tableLength(bytes.byte(at + 9));
        at = endOfBlocks(bytes, from);
        see({ name: 'image', at: from, length: at - from });
        break;
      }
      default:
        throw new BadPicture('The GIF is damaged.');
    }
  }
}

function tableLength(packed: number): number {
  return (packed & hasTable) === 0 ? 0 : 3 * 2 ** ((packed & 0x07) + 1);
}

function endOfBlocks(bytes: ByteReader, from: number): number {
  for (let at = from; ;) {
    const length = bytes.byte(at);
    at += 1 + length;
    if (length === 0) return at;
  }
}

const signature = '\x89PNG\r\n\x1a\n';

function isPng(bytes: ByteReader): boolean {
  return bytes.length >= signature.length && bytes.text(0, signature.length) === signature;
}

/** Reads IHDR and walks the chunks to IEND, which must end the file (W3C PNG §5.3, §11.2). Fails with `BadPicture`. */
function readPng(bytes: ByteReader, see: SeePart): PictureHeader<'image/png'> {
  const first = signature.length;
  if (bytes.text(first + 4, 4) !== 'IHDR' || bytes.u32(first) !== 13) {
    throw new BadPicture('A PNG must begin with its header.');
  }
  const header: PictureHeader<'image/png'> = {
    type: 'image/png',
    width: bytes.u32(first + 8),
    height: bytes.u32(first + 12),
  };
  let hasData = false;
  for (let at = first; ;) {
    const type = bytes.text(at + 4, 4);
    if (type === 'acTL') throw new BadPicture('Animated pictures are not taken.');
    if (type === 'IDAT') hasData = true;
    see({ name: type, at: at + 8, length: bytes.u32(at) });
    at += 12 + bytes.u32(at);
    if (type === 'IEND') {
      if (at !== bytes.length) throw new BadPicture('There is something else after the end of the picture.');
      if (!hasData) throw new BadPicture('The PNG holds no picture.');
      return header;
    }
  }
}

interface Format<Type extends string> {
  is(bytes: ByteReader): boolean;
  read(bytes: ByteReader, see: SeePart): PictureHeader<Type>;
}

type UploadType = 'image/png' | 'image/jpeg' | 'image/webp';

const uploadFormats: readonly Format<UploadType>[] = [
  { is: isPng, read: readPng },
  { is: isJpeg, read: readJpeg },
  { is: isWebp, read: readWebp },
];

const knownFormats: readonly Format<UploadType | 'image/gif'>[] = [
  ...uploadFormats,
  { is: isGif, read: readGif },
];

/** Type and size of a complete, still PNG, JPEG or WebP, without decoding. Fails with `BadPicture`, also for bytes after its end. */
export function readPicture(content: Uint8Array): PictureHeader<UploadType> {
  return readOneOf(uploadFormats, content, () => {});
}

/** Like {@link readPicture}, but also accepts a still GIF. Calls `see` with every part of the file. */
export function readKnownPicture(content: Uint8Array, see: SeePart): PictureHeader<UploadType | 'image/gif'> {
  return readOneOf(knownFormats, content, see);
}

function readOneOf<Type extends string>(
  formats: readonly Format<Type>[],
  content: Uint8Array,
  see: SeePart,
): PictureHeader<Type> {
  const bytes = byteReader(content);
  const format = formats.find(({ is }) => is(bytes));
  if (format === undefined) throw new BadPicture('The bytes are not those of a PNG, JPEG or WebP.');
  return format.read(bytes, see);
}

/** Header of a picture; width and height in pixels. */
export interface PictureHeader<Type extends string = string> {
  type: Type;
  width: number;
  height: number;
}

export interface PicturePart {
  name: string;
  at: number;
  length: number;
}

export type SeePart = (part: PicturePart) => void;

/** Thrown unless the bytes are exactly one complete, still picture. The message gives the reason for people. */
export class BadPicture extends Error {}

export interface ByteReader {
  readonly length: number;
  byte(at: number): number;
  u16(at: number): number;
  u32(at: number): number;
  u16le(at: number): number;
  u24le(at: number): number;
  u32le(at: number): number;
  text(at: number, length: number): string;
}

function byteReader(bytes: Uint8Array): ByteReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const checked = (at: number, length: number): number => {
    if (at + length > bytes.byteLength) throw new BadPicture('The picture is cut off.');
    return at;
  };
  const u16le = (at: number): number => view.getUint16(checked(at, 2), true);
  return {
    length: bytes.byteLength,
    byte: (at) => view.getUint8(checked(at, 1)),
    u16: (at) => view.getUint16(checked(at, 2)),
    u32: (at) => view.getUint32(checked(at, 4)),
    u16le,
    u24le: (at) => u16le(checked(at, 3)) + view.getUint8(at + 2) * 0x1_0000,
    u32le: (at) => view.getUint32(checked(at, 4), true),
    text: (at, length) => String.fromCharCode(...bytes.subarray(checked(at, length), at + length)),
  };
}
