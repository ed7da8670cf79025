import { BadPicture } from './picture.ts';
import type { ByteReader, PictureHeader, SeePart } from './picture.ts';

const signature = '\x89PNG\r\n\x1a\n';

/** True for what begins like a PNG (W3C PNG §5.2). */
export function isPng(bytes: ByteReader): boolean {
  return bytes.length >= signature.length && bytes.text(0, signature.length) === signature;
}

/** Reads IHDR and walks the chunks to IEND, which must be the end (W3C PNG §5.3, §11.2). Fails with `BadPicture`. */
export function readPng(bytes: ByteReader, see: SeePart): PictureHeader<'image/png'> {
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
