import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { FieldError, AppError } from '#shared/errors/index.ts';
import { BadPicture, type PictureHeader } from '#core/platform/pictures/picture.ts';
import { readPicture } from '#core/platform/pictures/read-picture.ts';
import { codePointLength } from '#shared/lib/inert-text.ts';
import { argumentsInvalid } from '../mcp/arguments.ts';

/** A picture that may be published. */
interface CheckedUpload {
  payload: z.output<typeof uploadPayload>;
  content: Uint8Array;
}

/**
 * Checks what was uploaded: name, type, size and dimensions (`pictureRules`), each by the bytes themselves. Fails with
 * `arguments_invalid` naming the arguments.
 */
export function checkUpload(asked: z.output<typeof uploadInput>): CheckedUpload {
  const { kind, fileName, contentType, data } = asked;
  const rule = pictureRules[kind];
  const fields = checkFileName(fileName, contentType);
  if (fields.length > 0) throw argumentsInvalid(fields);
  const content = readBase64(data, rule.maxBytes);
  const header = headerOf(content);
  const failures = [...failuresOfType(header, contentType), ...failuresOfSize(header, kind, rule)];
  if (failures.length > 0) throw argumentsInvalid(failures);
  const { width, height } = header;
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { payload: { kind, fileName, contentType, bytes: content.length, width, height, sha256 }, content };
}

function headerOf(content: Uint8Array): PictureHeader {
  try {
    return readPicture(content);
  } catch (failure) {
    if (!(failure instanceof BadPicture)) throw failure;
    const fields = [{ field: 'data', code: 'not_a_picture', message: failure.message }];
    throw argumentsInvalid(fields, failure);
  }
}

function failuresOfType({ type }: PictureHeader, contentType: string): FieldError[] {
  if (type === contentType) return [];
  return [{ field: 'contentType', code: 'wrong_type', message: `The bytes are those of ${type}.` }];
}

function failuresOfSize({ width, height }: PictureHeader, kind: string, rule: PictureRule): FieldError[] {
  const { leastWidth, maxWidth, shape } = rule;
  const [narrowWidth, narrowHeight] = shape.narrowest;
  const [wideWidth, wideHeight] = shape.widest;
  const isWide = width * narrowHeight >= height * narrowWidth;
  const isNarrow = width * wideHeight <= height * wideWidth;
  if (width >= leastWidth && width <= maxWidth && height > 0 && isWide && isNarrow) return [];
  const message = `The picture is ${width} × ${height}. The ${kind} must be ${rule.words}.`;
  return [{ field: 'data', code: 'out_of_range', message }];
}

/** The types of picture that are taken, and the extensions that their files have. SVG is a program, GIF moves: neither is taken. */
export const extensionsOf = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/webp': ['webp'],
} as const;

type PictureType = keyof typeof extensionsOf;

/** The same, as a list. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const satisfies PictureType[];

type PictureKind = 'icon' | 'image';

/** The limits of a picture of one kind. Lengths in pixels, both ends included. */
interface PictureRule {
  maxBytes: number;
  leastWidth: number;
  maxWidth: number;
  /** Width to height, from the narrowest to the widest shape. */
  shape: { narrowest: [number, number]; widest: [number, number] };
  /** The same in words. */
  words: string;
}

/** The contract names no sizes: these are the ones usual for Push. */
export const pictureRules: Readonly<Record<PictureKind, PictureRule>> = {
  icon: {
    maxBytes: 256 * 1024,
    leastWidth: 96,
    maxWidth: 512,
    shape: { narrowest: [1, 1], widest: [1, 1] },
    words: 'square, 96 to 512 pixels wide, at most 256 KiB',
  },
  image: {
    maxBytes: 1024 * 1024,
    leastWidth: 192,
    maxWidth: 2_000,
    shape: { narrowest: [3, 2], widest: [2, 1] },
    words: 'between 3:2 and 2:1, 192 to 2,000 pixels wide, at most 1 MiB',
  },
};

const kinds = z.enum(['icon', 'image']);
const contentTypes = z.enum(pictureTypes);

/** The arguments of `svc_prepare_upload`. */
export const uploadInput = z.strictObject({
  kind: kinds.describe('The square icon or the main image of a Push campaign.'),
  fileName: z.string().describe('The name of the file, with the extension of its type.'),
  contentType: contentTypes,
  data: z.string().describe('The bytes of the file in base64 (RFC 4648 §4).'),
});

/** The payload of the write `upload`: what the bytes are, and their hash instead of them. */
export const uploadPayload = z.strictObject({
  kind: kinds,
  fileName: z.string(),
  contentType: contentTypes,
  bytes: z.int(),
  width: z.int(),
  height: z.int(),
  sha256: z.string(),
});

const alphabet = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The bytes of a base64 text (RFC 4648 §4), of which there is exactly one for them. Fails with `arguments_invalid`; what is
 * too long is refused before it is decoded.
 */
function readBase64(text: string, maxBytes: number): Uint8Array {
  if (text.length > 4 * Math.ceil(maxBytes / 3)) throw tooLarge(maxBytes);
  const bytes = Buffer.from(text, 'base64');
  // Buffer takes what it can; only the one proper spelling comes back the same.
  if (!alphabet.test(text) || text === '' || bytes.toString('base64') !== text) {
    throw refusal('wrong_type', 'Send the bytes in base64, with padding and without spaces.');
  }
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

function tooLarge(maxBytes: number): AppError {
  return refusal('out_of_range', `The file is larger than ${maxBytes / 1024} KiB.`);
}

function refusal(code: string, message: string): AppError {
  return argumentsInvalid([{ field: 'data', code, message }]);
}

const longestName = 100;

/** Separators, wildcards and marks that are not seen: none of them belongs into the name of a file. */
const refused = /[\\/:*?"<>|\p{C}\p{Zl}\p{Zp}]/u;

/** A plain name with an extension of its type. What fails, or nothing. */
function checkFileName(fileName: string, type: PictureType): FieldError[] {
  const dot = fileName.lastIndexOf('.');
  const extension = fileName.slice(dot + 1).toLowerCase();
  if (codePointLength(fileName) > longestName || refused.test(fileName) || dot < 1) {
    const message = `Give a plain file name with an extension, at most ${longestName} characters.`;
    return [{ field: 'fileName', code: 'not_allowed', message }];
  }
  const extensions: readonly string[] = extensionsOf[type];
  if (extensions.includes(extension)) return [];
  const message = `A file of ${type} ends in .${extensions.join(' or .')}.`;
  return [{ field: 'fileName', code: 'wrong_type', message }];
}
