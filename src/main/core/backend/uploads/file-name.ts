import type { FieldError } from '#shared/errors/index.ts';
import { codePointLength } from '#shared/lib/code-points.ts';
import { extensionsOf } from './picture-rules.ts';
import type { PictureType } from './picture-rules.ts';

const longestName = 100;

/** Separators, wildcards and marks that are not seen: none of them belongs into the name of a file. */
const refused = /[\\/:*?"<>|\p{C}\p{Zl}\p{Zp}]/u;

/** A plain name with an extension of its type. What fails, or nothing. */
export function checkFileName(fileName: string, type: PictureType): FieldError[] {
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
