import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { FieldError } from '#shared/errors/index.ts';
import { argumentsInvalid } from '../mcp/arguments.ts';
import { readBase64 } from './base64.ts';
import { checkFileName } from './file-name.ts';
import { BadPicture } from '#core/platform/pictures/picture.ts';
import type { PictureHeader } from '#core/platform/pictures/picture.ts';
import { pictureRules } from './picture-rules.ts';
import type { PictureRule } from './picture-rules.ts';
import { readPicture } from '#core/platform/pictures/read-picture.ts';
import type { uploadInput, uploadPayload } from './upload-tool.ts';

/** A picture that may be published. */
export interface CheckedUpload {
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
  const content = readBase64(data, rule.mostBytes);
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
  const { leastWidth, mostWidth, shape } = rule;
  const [narrowWidth, narrowHeight] = shape.narrowest;
  const [wideWidth, wideHeight] = shape.widest;
  const isWide = width * narrowHeight >= height * narrowWidth;
  const isNarrow = width * wideHeight <= height * wideWidth;
  if (width >= leastWidth && width <= mostWidth && height > 0 && isWide && isNarrow) return [];
  const message = `The picture is ${width} × ${height}. The ${kind} must be ${rule.words}.`;
  return [{ field: 'data', code: 'out_of_range', message }];
}
