import { BadPicture } from './picture.ts';
import type { ByteReader, PictureHeader, SeePart } from './picture.ts';

const firstChunk = 12;
const animationFlag = 0x02;

interface Size {
  width: number;
  height: number;
}

/** True for what begins like a WebP (RFC 9649 §2.4). */
export function isWebp(bytes: ByteReader): boolean {
  return bytes.length >= firstChunk && bytes.text(0, 4) === 'RIFF' && bytes.text(8, 4) === 'WEBP';
}

/** Walks the chunks, which must fill the file, and reads the size of the canvas (RFC 9649 §2). Fails with `BadPicture`. */
export function readWebp(bytes: ByteReader, see: SeePart): PictureHeader<'image/webp'> {
  if (bytes.u32le(4) + 8 !== bytes.length) {
    throw new BadPicture('The picture is cut off, or there is something else after its end.');
  }
  let canvas: Size | null = null;
  let picture: Size | null = null;
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

/** RFC 9649 §2.7.1. */
function canvasAt(bytes: ByteReader, at: number): Size {
  if ((bytes.byte(at) & animationFlag) !== 0) throw new BadPicture('Animated pictures are not taken.');
  return { width: bytes.u24le(at + 4) + 1, height: bytes.u24le(at + 7) + 1 };
}

/** RFC 6386 §9.1: a key frame with its start code, then fourteen bits each. */
function lossyAt(bytes: ByteReader, at: number): Size {
  if ((bytes.byte(at) & 1) !== 0 || bytes.text(at + 3, 3) !== '\x9d\x01\x2a') {
    throw new BadPicture('The WebP is damaged.');
  }
  return { width: bytes.u16le(at + 6) & 0x3fff, height: bytes.u16le(at + 8) & 0x3fff };
}

/** RFC 9649 §3.4: the signature, then fourteen bits each, less one. */
function losslessAt(bytes: ByteReader, at: number): Size {
  if (bytes.byte(at) !== 0x2f) throw new BadPicture('The WebP is damaged.');
  const bits = bytes.u32le(at + 1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
