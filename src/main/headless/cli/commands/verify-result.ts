import { readFileSync, statSync } from 'node:fs';
import { checkResult, type ResultCheck } from '#core/public.ts';
import { AppError } from '#shared/errors/index.ts';
import { counted } from '#shared/lib/counted.ts';
import { inertText, quoted } from '#shared/lib/inert-text.ts';
import { type FaultProgress, faultWords, progressOf } from '#shared/training/index.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { safeJson } from '../safe-json.ts';

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
  const verdicts = files.map((file): Verdict => {
    const check = withKey(checkResult(textOf(file)), key);
    if (check.kind === 'refused') return { file, ...check };
    return { file, ...check, progress: progressOf(check.result.attempts) };
  });
  if (json) console.out(safeJson(verdicts, 2));
  else printVerdicts(verdicts, { hasKey: key !== undefined, console });
  return verdicts.every(({ kind }) => kind === 'intact') ? exitCodes.ok : exitCodes.refusedFile;
}

/** Fails with `not_found` where there is no file. */
function textOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true) throw new AppError('not_found', { message: `There is no file at ${file}.` });
  // A text that is too long is refused as one, whatever comes after.
  return readFileSync(file).subarray(0, maxBytes).toString('utf8');
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
      out(style.loss(`REFUSED: ${verdict.reason}`));
      out(`  file      ${file}`);
      continue;
    }
    const { name, savedAtMs, attempts } = verdict.result;
    out(style.verified('The result file is intact.'));
    out(`  file      ${file}`);
    out(`  name      ${quoted(name)}`);
    out(`  saved     ${new Date(savedAtMs).toISOString()}`);
    const unfinished = attempts.filter(({ incomplete }) => incomplete !== undefined).length;
    const ofThem = unfinished === 0 ? '' : `, ${unfinished} of them discarded or edited`;
    out(`  attempts  ${counted(attempts.length, 'attempt')}${ofThem}`);
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
