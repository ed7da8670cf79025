import { createHash } from 'node:crypto';
import {
  pictureExtensions,
  type PictureKind,
  pictureRules,
  type PictureType,
  sizeFault,
} from '#shared/campaign/index.ts';
import type { AppError, FieldError } from '#shared/errors/index.ts';
import { codePointLength } from '#shared/lib/inert-text.ts';
import { BadPicture, type PictureHeader, readPicture } from './read-picture.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

export interface PictureFile {
  kind: PictureKind;
  fileName: string;
  contentType: PictureType;
  data: string;
}

export interface CheckedPicture extends Omit<PictureFile, 'data'> {
  bytes: number;
  width: number;
  height: number;
  sha256: string;
  content: Uint8Array;
}

type Refuse = (fields: FieldError[], cause?: unknown) => AppError;

/** Checks name, type, size and dimensions from the file's bytes (`pictureRules`). Fails with `refuse` of the invalid members. */
export function checkPictureFile(file: PictureFile, refuse: Refuse): CheckedPicture {
  const { kind, fileName, contentType, data } = file;
  const fields = checkFileName(fileName, contentType);
  if (fields.length > 0) throw refuse(fields);
  const content = readBase64(data, { maxBytes: pictureRules[kind].maxBytes, refuse });
  const { type, width, height } = headerOf(content, refuse);
  const fault = sizeFault({ width, height }, kind);
  const failures = [
    ...(type === contentType
      ? []
      : [failure('contentType', 'wrong_type', sentence`The bytes are those of ${ownWords(type)}.`)]),
    ...(fault === null ? [] : [failure('data', 'out_of_range', sentence`${ownWords(fault)}`)]),
  ];
  if (failures.length > 0) throw refuse(failures);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { kind, fileName, contentType, bytes: content.length, width, height, sha256, content };
}

function headerOf(content: Uint8Array, refuse: Refuse): PictureHeader {
  try {
    return readPicture(content);
  } catch (cause) {
    if (!(cause instanceof BadPicture)) throw cause;
    throw refuse([failure('data', 'not_a_picture', sentence`${ownWords(cause.message)}`)], cause);
  }
}

const alphabet = /^[A-Za-z0-9+/]*={0,2}$/;

function readBase64(text: string, { maxBytes, refuse }: { maxBytes: number; refuse: Refuse }): Uint8Array {
  const tooLarge = failure('data', 'out_of_range', sentence`The file is larger than ${maxBytes / 1024} KiB.`);
  if (text.length > 4 * Math.ceil(maxBytes / 3)) throw refuse([tooLarge]);
  const bytes = Buffer.from(text, 'base64');
  // Buffer ignores invalid characters, so only a round trip proves that the text is canonical base64.
  if (!alphabet.test(text) || text === '' || bytes.toString('base64') !== text) {
    throw refuse([
      failure('data', 'wrong_type', sentence`Send the bytes in base64, with padding and without spaces.`),
    ]);
  }
  if (bytes.length > maxBytes) throw refuse([tooLarge]);
  return bytes;
}

const maxNameLength = 100;

/** Path separators, wildcards and invisible characters, which a file name must not contain. */
const refused = /[\\/:*?"<>|\p{C}\p{Zl}\p{Zp}]/u;

function checkFileName(fileName: string, type: PictureType): FieldError[] {
  const dot = fileName.lastIndexOf('.');
  const extension = fileName.slice(dot + 1).toLowerCase();
  if (codePointLength(fileName) > maxNameLength || refused.test(fileName) || dot < 1) {
    const message = sentence`Give a plain file name with an extension, at most ${maxNameLength} characters.`;
    return [failure('fileName', 'not_allowed', message)];
  }
  const extensions: readonly string[] = pictureExtensions[type];
  if (extensions.includes(extension)) return [];
  return [
    failure(
      'fileName',
      'wrong_type',
      sentence`A file of ${ownWords(type)} ends in .${ownWords(extensions.join(' or .'))}.`,
    ),
  ];
}

function failure(field: string, code: string, message: Sentence): FieldError {
  return { field, code, message };
}
