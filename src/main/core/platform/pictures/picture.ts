/** The header of a picture. Lengths in pixels. */
export interface PictureHeader<Type extends string = string> {
  type: Type;
  width: number;
  height: number;
}

/** One part of a picture's file: a chunk, a segment or a block by the name that its format has for it, and where its data lie. */
export interface PicturePart {
  name: string;
  at: number;
  length: number;
}

/** Is told of every part in its order. */
export type SeePart = (part: PicturePart) => void;

/** The bytes are not one whole, still picture and nothing else. The message says why, for people. */
export class BadPicture extends Error {}

/** Reads bytes with a clear end: whatever lies beyond is a picture that was cut off. */
export interface ByteReader {
  readonly length: number;
  byte(at: number): number;
  u16(at: number): number;
  u32(at: number): number;
  /** Little-endian. */
  u16le(at: number): number;
  u24le(at: number): number;
  u32le(at: number): number;
  /** Latin letters. */
  text(at: number, length: number): string;
}

/** Reads these bytes; beyond their end it throws {@link BadPicture}. */
export function byteReader(bytes: Uint8Array): ByteReader {
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
