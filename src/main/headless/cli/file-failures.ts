import { AppError, diskFailure } from '#shared/errors/index.ts';
import { inertStart } from '#shared/lib/inert-text.ts';

/** The system's reason why a file cannot be read, and the remedy, in one or two sentences. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file. Check the path.',
  ENOTDIR: 'There is no such file. Check the path.',
  EACCES: 'You may not read it. Change its permissions, or copy it to a place of your own.',
  EPERM: 'You may not read it. Change its permissions, or copy it to a place of your own.',
  EISDIR: 'It is a folder. Name a file in it.',
  ELOOP: 'Its links lead in a circle. Name the file itself.',
  ENAMETOOLONG: 'The path is too long. Name the file from a folder that is nearer.',
};

/** The code of an error of the file system; null for any other failure. */
function systemCodeOf(failure: unknown): string | null {
  const isOfSystem = failure instanceof Error && 'syscall' in failure && 'code' in failure;
  return isOfSystem ? String(failure.code) : null;
}

/** Explains why a file cannot be read. Throws what is no failure of the file system. */
export function whyUnreadable(failure: unknown): string {
  const code = systemCodeOf(failure);
  if (code === null) throw failure;
  return reasons[code] ?? `It cannot be read (${code}). Check the disk, then try again.`;
}

/** Longer paths are cut in a message, in code points. */
const longestPath = 300;

/** The failure of work on a file that the user named, with its name. A bug is returned as it is. */
export function withFileName(file: string, failure: unknown): unknown {
  const code = systemCodeOf(failure);
  if (!(failure instanceof AppError) && code === null) return failure;
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
  const expected =
    failure instanceof AppError ? failure : diskFailure(failure, isMissing ? 'not_found' : 'storage_failed');
  const { message, data, cause } = expected;
  const isUnexplained = expected.code !== 'disk_full' && systemCodeOf(cause) !== null;
  const reason = isUnexplained ? whyUnreadable(cause) : message;
  return new AppError(expected.code, { message: `${inertStart(file, longestPath)}: ${reason}`, data, cause });
}
