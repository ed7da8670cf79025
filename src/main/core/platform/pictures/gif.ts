import { BadPicture } from './picture.ts';
import type { ByteReader, PictureHeader, SeePart } from './picture.ts';

const extension = 0x21;
const image = 0x2c;
const trailer = 0x3b;

/** Bit 7 of a packed field: a table of colours follows; its lowest three bits are the table's size. */
const hasTable = 0x80;

/** True for what begins like a GIF (GIF89a §17). */
export function isGif(bytes: ByteReader): boolean {
  return bytes.length >= 6 && ['GIF87a', 'GIF89a'].includes(bytes.text(0, 6));
}

/** Walks the blocks to the trailer, which must be the end (GIF89a §18 to §27). Fails with `BadPicture`, for several pictures too. */
export function readGif(bytes: ByteReader, see: SeePart): PictureHeader<'image/gif'> {
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
        // The descriptor, its own table, and the size of a code.
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

/** Where the next block begins after a row of sub-blocks, which a length of 0 ends. */
function endOfBlocks(bytes: ByteReader, from: number): number {
  for (let at = from; ;) {
    const length = bytes.byte(at);
    at += 1 + length;
    if (length === 0) return at;
  }
}
