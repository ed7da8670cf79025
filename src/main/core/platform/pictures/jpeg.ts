import { BadPicture } from './picture.ts';
import type { ByteReader, PictureHeader, SeePart } from './picture.ts';

const marker = { start: 0xd8, end: 0xd9, scan: 0xda, temporary: 0x01 } as const;

/** True for what begins like a JPEG (ITU-T T.81 §B.2). */
export function isJpeg(bytes: ByteReader): boolean {
  return bytes.length >= 3 && bytes.u16(0) === 0xffd8 && bytes.byte(2) === 0xff;
}

/** Walks the segments to the frame header and on to the end marker, which must be the end (ITU-T T.81 §B). Fails with `BadPicture`. */
export function readJpeg(bytes: ByteReader, see: SeePart): PictureHeader<'image/jpeg'> {
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
  // Two frames could name two sizes.
  if (earlier !== null) throw new BadPicture('The JPEG holds more than one picture.');
  return { type: 'image/jpeg', height: bytes.u16(at + 5), width: bytes.u16(at + 7) };
}

/** SOF0 to SOF15, without DHT, JPG and DAC, which lie among them. */
function isFrame(code: number): boolean {
  return code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;
}

/** Markers without a length; none belongs between segments. */
function standsAlone(code: number): boolean {
  return code === marker.temporary || code === 0 || (code >= 0xd0 && code <= marker.start);
}

/** Where the next marker stands that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: ByteReader, from: number): number {
  for (let at = from; ; at += 1) {
    if (bytes.byte(at) !== 0xff) continue;
    const code = bytes.byte(at + 1);
    if (code !== 0 && code !== 0xff && !(code >= 0xd0 && code <= 0xd7)) return at;
  }
}
