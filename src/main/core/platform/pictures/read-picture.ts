import { isGif, readGif } from './gif.ts';
import { isJpeg, readJpeg } from './jpeg.ts';
import { BadPicture, byteReader, type ByteReader, type PictureHeader, type SeePart } from './picture.ts';
import { isWebp, readWebp } from './webp.ts';

const signature = '\x89PNG\r\n\x1a\n';

/** True for what begins like a PNG (W3C PNG §5.2). */
function isPng(bytes: ByteReader): boolean {
  return bytes.length >= signature.length && bytes.text(0, signature.length) === signature;
}

/** Reads IHDR and walks the chunks to IEND, which must be the end (W3C PNG §5.3, §11.2). Fails with `BadPicture`. */
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

/**
 * Type and size of one whole, still PNG, JPEG or WebP, from its own bytes. Nothing is decoded, so nothing can grow. Fails with
 * `BadPicture`: another format, cut off, animated, or with something behind its end.
 */
export function readPicture(content: Uint8Array): PictureHeader<UploadType> {
  return readOneOf(uploadFormats, content, () => {});
}

/** The same of a still GIF too; `see` is told of every part of the file. */
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
