import { crc32, deflateSync } from 'node:zlib';

/** Returns a complete grey PNG of this size, with `extra` chunks before its data. */
export function png(width: number, height: number, extra: Buffer[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const data = deflateSync(Buffer.alloc((width + 1) * height, 0));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...extra,
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns one PNG chunk. */
export function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** Files made by other programs. */
export const samples = {
  /** 192 × 192, baseline. */
  jpeg: Buffer.from(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP' +
      '/'.repeat(86) +
      'wAALCADAAMABAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8' +
      'A'.repeat(193) +
      '/9k=',
    'base64',
  ),
  /** 200 × 200, lossy with an alpha channel: a canvas chunk and an image chunk. */
  extendedWebp: Buffer.from(
    'UklGRsAAAABXRUJQVlA4WAoAAAAQAAAAxwAAxwAAQUxQSAoAAAABB9C/iAhERP8DVlA4IJAAAABwDACdASrIAMgAP83m8XO/uDOsoEgD8DmJaW7hdqAAJ7Xoq4QZBDVUmu21al6aPW20XCDIIaqls4Iaqk15g6qk122rUvLXoq4rDXoq4QaToq4QZBHa4QZBDVhYpbRcINJ0VcIMgjtcIMgheAAA/v4a+Tc/+DQJ/y6vXwrG2ewzJKMLPjPmFGRwCAAAAAAAAAA=',
    'base64',
  ),
  /** 300 × 200, lossy. */
  lossyWebp: Buffer.from(
    'UklGRqQAAABXRUJQVlA4IJgAAABwEACdASosAcgAP83m8nO/uLSsoCgD8DmJaW7hdrEbQAnsA99snIe+2TkPfbJyHvtk5D32ych77ZOQ99snIe+2TkPfbJyHvtk5D32ych77ZOQ99snIe+2TkPfbJyHvtk5D32ych77ZOQ99snIe+2TkPfbJyHvtk5D32ych77ZOQ99snIe+2TkPfbJwoAD+FAAAAAAAAAAAAA==',
    'base64',
  ),
  /** 192 × 192, lossless. */
  losslessWebp: Buffer.from('UklGRiQAAABXRUJQVlA4TBgAAAAvv8AvAAdQwChg/wNCgoT/701G9D/tf38=', 'base64'),
};

/** Returns a JPEG segment with its length. */
export function segment(code: number, data: number[]): Buffer {
  const length = data.length + 2;
  return Buffer.from([0xff, code, length >> 8, length & 0xff, ...data]);
}

/** Returns a JPEG of these parts between the start and end markers. */
export function jpeg(...parts: (Buffer | number[])[]): Buffer {
  return Buffer.concat([[0xff, 0xd8], ...parts, [0xff, 0xd9]].map((part) => Buffer.from(part)));
}

/** Returns a JPEG frame header for one grey component: SOF0, or the frame type of `code`. */
export function frame(width: number, height: number, code = 0xc0): Buffer {
  return segment(code, [8, height >> 8, height & 0xff, width >> 8, width & 0xff, 1, 1, 0x11, 0]);
}
