import { isGif, readGif } from './gif.ts';
import { isJpeg, readJpeg } from './jpeg.ts';
import { BadPicture, byteReader } from './picture.ts';
import type { ByteReader, PictureHeader, SeePart } from './picture.ts';
import { isPng, readPng } from './png.ts';
import { isWebp, readWebp } from './webp.ts';

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
