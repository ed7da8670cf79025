import type { ContractFinding, DoctorReport, DoctorStep } from '#shared/app-api/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { milliseconds } from '../answers/ask.ts';
import type { Formats } from '#shared/lib/formats.ts';

const margin = ' '.repeat(13);

export function reportText(report: DoctorReport, formats: Formats): string {
  const { subject, startedAtMs, endedAtMs, steps } = report;
  const width = Math.max(...steps.map(({ title }) => title.length));
  const took = endedAtMs === null ? '' : `, ${((endedAtMs - startedAtMs) / 1000).toFixed(1)} s`;
  return [
    'Countersign: examination of a service',
    `  service  ${inertText(subject)}`,
    `  begun    ${new Date(startedAtMs).toISOString()}${took}`,
    `  result   ${countedSteps(steps)}`,
    '',
    ...steps.flatMap((step) => stepLines(step, width, formats)),
    '',
  ].join('\n');
}

function stepLines(
  { title, state, tookMs, asked, answer, means, remedy, findings }: DoctorStep,
  width: number,
  formats: Formats,
): string[] {
  const time = tookMs === null ? '' : milliseconds(tookMs).ownWords;
  return [
    `${stepSigns[state]}  ${title.padEnd(width)}  ${time}`.trimEnd(),
    `${margin}asked   ${asked}`,
    ...(answer === '' ? [] : [`${margin}answer  ${answer}`]),
    ...(means === null ? [] : [`${margin}means   ${means}`]),
    ...(remedy === null ? [] : [`${margin}do      ${remedy}`]),
    ...findingLines(findings, formats).map((line) => `${margin}${line}`),
  ];
}

/** Groups skipped checks by reason, because one missing credential skips many. */
function findingLines(findings: readonly ContractFinding[], formats: Formats): string[] {
  const skipped = findings.filter(({ state }) => state === 'skipped');
  return [
    ...driftLines(findings, formats).map((line) => `! drifts   ${line}`),
    ...[...Map.groupBy(skipped, ({ text }) => text).values()].map((alike) => skippedLine(alike, formats)),
  ];
}

/** One line per reason, because a redirect or proxy changes many answers in the same way. */
export function driftLines(findings: readonly ContractFinding[], formats: Formats): string[] {
  const drifts = findings.filter(({ state }) => state === 'drifts');
  return [...Map.groupBy(drifts, ({ text }) => text).values()].map((alike) => {
    const [words = '', ...more] = alike.map(findingWords);
    const clauses = [...new Set(alike.flatMap(({ clause }) => clause.split(', ')))].join(', ');
    return more.length === 0
      ? words
      : `${clauses} · ${formats.counted(alike.length, 'line')} of the contract: ${alike[0]?.text ?? ''}`;
  });
}

function skippedLine(findings: readonly ContractFinding[], formats: Formats): string {
  const [words = '', ...more] = findings.map(findingWords);
  const count = `${formats.counted(findings.length, 'line')} of the contract: ${findings[0]?.text ?? ''}`;
  return `– skipped  ${more.length === 0 ? words : count}`;
}

function findingWords({ clause, title, text }: ContractFinding): string {
  return `${clause} · ${title}: ${text}`;
}

const endings = ['ok', 'notice', 'failed', 'skipped'] as const;

type StepEnding = (typeof endings)[number];

export const stepSigns: Readonly<Record<DoctorStep['state'], string>> = {
  ok: '✓ ok     ',
  notice: '! notice ',
  failed: '✗ failed ',
  skipped: '– skipped',
  running: '  running',
  waiting: '  waiting',
};

export function hasEnded(state: DoctorStep['state']): state is StepEnding {
  return endings.some((ending) => ending === state);
}

/** Example: `9 ok, 1 failed, 1 skipped`. */
export function countedSteps(steps: readonly DoctorStep[]): string {
  return endings
    .map((ending) => ({ ending, count: steps.filter(({ state }) => state === ending).length }))
    .filter(({ count }) => count > 0)
    .map(({ ending, count }) => `${count} ${ending}`)
    .join(', ');
}

/** Parts of a secret with at least this many characters are hidden. Shorter parts are shown, because they reveal nothing. */
const fragment = 12;

const leastSecret = 4;

const sign = '…';

export interface Mask {
  add(secret: string): void;
  /** Hides secrets, also if they are cut, in another case, or escaped for an address or JSON. */
  hide<T extends string>(text: T): T;
}

export function createMask(): Mask {
  const known = new Set<string>();
  const fragments = new Set<string>();
  const whole = new Set<string>();

  function learn(form: string): void {
    if (form.length < fragment) whole.add(form);
    for (let at = 0; at + fragment <= form.length; at += 1) fragments.add(form.slice(at, at + fragment));
  }

  return {
    add(secret) {
      if (secret.length < leastSecret || known.has(secret)) return;
      known.add(secret);
      const forms = [secret, encodeURIComponent(secret), secret.replaceAll('/', String.raw`\/`)];
      for (const form of forms) learn(lower(form));
    },
    hide: <T extends string>(text: T) => [...whole].reduce(hideWhole, hideFragments(text, fragments)) as T,
  };
}

function hideFragments(text: string, fragments: ReadonlySet<string>): string {
  const haystack = lower(text);
  const isSecretAt = (at: number): boolean => fragments.has(haystack.slice(at, at + fragment));
  let hidden = '';
  let at = 0;
  while (at < text.length) {
    if (!isSecretAt(at)) {
      hidden += text.charAt(at);
      at += 1;
      continue;
    }
    while (isSecretAt(at + 1)) at += 1;
    at += fragment;
    hidden += sign;
  }
  return hidden;
}

function hideWhole(text: string, secret: string): string {
  const haystack = lower(text);
  let hidden = '';
  let at = 0;
  for (let found = haystack.indexOf(secret); found >= 0; found = haystack.indexOf(secret, at)) {
    hidden += `${text.slice(at, found)}${sign}`;
    at = found + secret.length;
  }
  return hidden + text.slice(at);
}

/** Lowers ASCII letters only, so that the length of the text does not change. */
function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
