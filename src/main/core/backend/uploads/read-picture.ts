import { isJpeg, readJpeg } from './jpeg.ts';
import { BadPicture, byteReader } from './picture.ts';
import type { ByteReader, PictureHeader } from './picture.ts';
import { isPng, readPng } from './png.ts';
import { isWebp, readWebp } from './webp.ts';

interface Format {
  is(bytes: ByteReader): boolean;
  read(bytes: ByteReader): PictureHeader;
}

const formats: readonly Format[] = [
  { is: isPng, read: readPng },
  { is: isJpeg, read: readJpeg },
  { is: isWebp, read: readWebp },
];

/**
 * Type and size of one whole, still picture, from its own bytes. Nothing is decoded, so nothing can grow. Fails with
 * `BadPicture`: another format, cut off, animated, or with something behind its end.
 */
export function readPicture(content: Uint8Array): PictureHeader {
  const bytes = byteReader(content);
  const format = formats.find(({ is }) => is(bytes));
  if (format === undefined) throw new BadPicture('The bytes are not those of a PNG, JPEG or WebP.');
  return format.read(bytes);
}
