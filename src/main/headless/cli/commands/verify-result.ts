import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { checkResult, type ResultCheck } from '#core/public.ts';
import { inertText, quoted } from '#shared/lib/inert-text.ts';
import { type FaultProgress, faultWords, progressOf } from '#shared/training/index.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { whyUnreadable } from '../file-failures.ts';
import { safeJson } from '../safe-json.ts';
import { usualFormats } from '#shared/lib/formats.ts';

export interface VerifyResultOptions {
  /** The digits of the fingerprint that the lead noted. */
  key?: string;
  json?: boolean;
}

type Intact = Extract<ResultCheck, { kind: 'intact' }>;

/** A file with the verdict on it, and where it is intact, with what the name catches. */
type Verdict = { file: string } & ((Intact & { progress: FaultProgress[] }) | Exclude<ResultCheck, Intact>);

/** A result file is a fraction of this. */
const maxBytes = 8 * 1024 * 1024;

/** `countersign verify-result`: the verdict on result files of training, each by itself. */
export async function verifyResult(
  files: readonly string[],
  { key, json = false }: VerifyResultOptions,
  console: Console,
): Promise<number> {
  let unread = 0;
  const verdicts = files.map((file): Verdict => {
    const read = readText(file);
    if (read.kind === 'refused') unread += 1;
    const check = read.kind === 'read' ? withKey(checkResult(read.text), key) : read;
    if (check.kind === 'refused') return { file, ...check };
    return { file, ...check, progress: progressOf(check.result.attempts) };
  });
  if (json) console.out(safeJson(verdicts, 2));
  else printVerdicts(verdicts, { hasKey: key !== undefined, console });
  const refused = verdicts.filter(({ kind }) => kind === 'refused').length;
  // A file that is not there was not judged: the code is that of every other command.
  if (refused > unread) return exitCodes.refusedFile;
  return unread > 0 ? exitCodes.failed : exitCodes.ok;
}

type ReadText = { kind: 'read'; text: string } | { kind: 'refused'; reason: string };

/** The text of a file as far as it can matter; one that is longer is refused as too large, whatever comes after. */
function readText(file: string): ReadText {
  try {
    // A pipe without a writer is opened at once, and is no file.
    const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      if (!fstatSync(descriptor).isFile()) return { kind: 'refused', reason: 'It is no file.' };
      return { kind: 'read', text: readStart(descriptor, maxBytes + 1).toString('utf8') };
    } finally {
      closeSync(descriptor);
    }
  } catch (failure) {
    return { kind: 'refused', reason: whyUnreadable(failure) };
  }
}

function readStart(descriptor: number, max: number): Buffer {
  const parts: Buffer[] = [];
  let length = 0;
  while (length < max) {
    const part = Buffer.alloc(Math.min(64 * 1024, max - length));
    const count = readSync(descriptor, part);
    if (count === 0) break;
    parts.push(part.subarray(0, count));
    length += count;
  }
  return Buffer.concat(parts);
}

function withKey(check: ResultCheck, key: string | undefined): ResultCheck {
  if (key === undefined || check.kind === 'refused') return check;
  if (check.keyFingerprint.replaceAll(' ', '') === key) return check;
  const reason = `It was signed with another key: ${check.keyFingerprint}.`;
  return { kind: 'refused', reason };
}

function printVerdicts(
  verdicts: readonly Verdict[],
  { hasKey, console }: { hasKey: boolean; console: Console },
): void {
  const { out, style } = console;
  for (const verdict of verdicts) {
    const file = inertText(verdict.file);
    if (verdict.kind === 'refused') {
      out(style.loss(`REFUSED: ${inertText(verdict.reason)}`));
      out(`  file      ${file}`);
      continue;
    }
    const { name, savedAtMs, attempts } = verdict.result;
    out(style.verified('The result file is intact.'));
    out(`  file      ${file}`);
    out(`  name      ${quoted(name)}`);
    out(`  saved     ${new Date(savedAtMs).toISOString()}`);
    const unfinished = attempts.filter(({ incomplete }) => incomplete !== undefined).length;
    const ofThem = unfinished === 0 ? '' : `, ${unfinished} of them not completed`;
    out(`  attempts  ${usualFormats.counted(attempts.length, 'attempt')}${ofThem}`);
    for (const line of progressLines(verdict.progress)) out(line);
    out(`  key       ${verdict.keyFingerprint}`);
  }
  if (verdicts.every(({ kind }) => kind === 'refused')) return;
  out(style.quiet(hasKey ? provenByKey : compareKey));
  out(style.quiet(notProven));
}

/** The kinds of fault that are caught reliably, and those that were met and are not. */
function progressLines(progress: readonly FaultProgress[]): string[] {
  const reliable = progress.filter(({ isReliable }) => isReliable);
  const others = progress.filter(({ isReliable, met }) => !isReliable && met > 0);
  const names = reliable.map(({ kind }) => faultWords[kind].title).join(', ');
  const found = others.map(
    ({ kind, caught, met }) => `${faultWords[kind].title} (${caught} of ${met} caught)`,
  );
  return [
    `  reliable  ${reliable.length} of ${progress.length} kinds of fault${names === '' ? '' : `: ${names}`}`,
    ...(found.length === 0 ? [] : [`  not yet   ${found.join(', ')}`]),
  ];
}

const provenByKey = 'Intact files are as the computer with this key saved them.';
const compareKey =
  'Intact files are as the computer with their key saved them. Compare the key with the one that you noted: `--key` does it.';
const notProven = 'They do not prove who sat there: the name is what was typed.';
