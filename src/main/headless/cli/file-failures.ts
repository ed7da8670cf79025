import { AppError, diskFailure } from '#shared/errors/index.ts';
import { ownWords, type OwnWords, quotedUpTo, sentence, type Sentence } from '#shared/lib/sentence.ts';

interface Reason {
  reason: string;
  remedy: Sentence;
}

const missing: Reason = { reason: 'There is no such file.', remedy: sentence`Check the path.` };
const forbidden: Reason = {
  reason: 'You may not read it.',
  remedy: sentence`Change its permissions, or copy it to a place of your own.`,
};

/** The system's reasons why a file cannot be read. */
const reasons: Readonly<Record<string, Reason>> = {
  ENOENT: missing,
  ENOTDIR: missing,
  EACCES: forbidden,
  EPERM: forbidden,
  EISDIR: { reason: 'It is a folder.', remedy: sentence`Name a file in it.` },
  ELOOP: { reason: 'Its links lead in a circle.', remedy: sentence`Name the file itself.` },
  ENAMETOOLONG: {
    reason: 'The path is too long.',
    remedy: sentence`Name the file from a folder that is nearer.`,
  },
};

/** The code of an error of the file system; null for any other failure. */
function systemCodeOf(failure: unknown): string | null {
  const isOfSystem = failure instanceof Error && 'syscall' in failure && 'code' in failure;
  return isOfSystem ? String(failure.code) : null;
}

function reasonOf(code: string): Reason {
  return (
    reasons[code] ?? {
      reason: `It cannot be read (${code}).`,
      remedy: sentence`Check the disk, then try again.`,
    }
  );
}

/** Explains why a file cannot be read, and what to do. Throws what is no failure of the file system. */
export function whyUnreadable(failure: unknown): string {
  const code = systemCodeOf(failure);
  if (code === null) throw failure;
  const { reason, remedy } = reasonOf(code);
  return `${reason} ${remedy}`;
}

/** Longer paths are cut in a message, in code points. */
const longestPath = 300;

/** A file cannot be read, for a reason that has a remedy of its own. */
class UnreadableFile extends AppError {
  readonly #remedy: Sentence;

  constructor(name: OwnWords, { reason, remedy }: Reason, { code, data, cause }: AppError) {
    super(code, { message: sentence`${name}: ${ownWords(reason)}`, data, cause });
    this.#remedy = remedy;
  }

  override get next(): Sentence {
    return this.#remedy;
  }
}

/** The failure of work on a file that the user named, with its name. A bug is returned as it is. */
export function withFileName(file: string, failure: unknown): unknown {
  const code = systemCodeOf(failure);
  if (!(failure instanceof AppError) && code === null) return failure;
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
  const expected =
    failure instanceof AppError ? failure : diskFailure(failure, isMissing ? 'not_found' : 'storage_failed');
  const name = quotedUpTo(file, longestPath);
  const { message, data, cause } = expected;
  const causeCode = systemCodeOf(cause);
  if (expected.code !== 'disk_full' && causeCode !== null)
    return new UnreadableFile(name, reasonOf(causeCode), expected);
  if (expected.code === 'not_found')
    return new UnreadableFile(name, { ...missing, reason: message }, expected);
  return new AppError(expected.code, { message: sentence`${name}: ${ownWords(message)}`, data, cause });
}
