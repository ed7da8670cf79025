import type { ContractFinding, DoctorReport, DoctorStep } from '#shared/app-api/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { milliseconds } from './words.ts';

const signs: Readonly<Record<DoctorStep['state'], string>> = {
  ok: '✓ ok     ',
  notice: '! notice ',
  failed: '✗ failed ',
  skipped: '– skipped',
  running: '  running',
  waiting: '  waiting',
};

/** A report that has ended, as plain text to be copied: aligned, and as free of secrets as the report is. */
export function reportText(report: DoctorReport): string {
  const { subject, startedAtMs, endedAtMs, steps } = report;
  const width = Math.max(...steps.map(({ title }) => title.length));
  const took = endedAtMs === null ? '' : `, ${((endedAtMs - startedAtMs) / 1000).toFixed(1)} s`;
  return [
    'Countersign: examination of a service',
    `  service  ${inertText(subject)}`,
    `  begun    ${new Date(startedAtMs).toISOString()}${took}`,
    `  result   ${counts(steps)}`,
    '',
    ...steps.flatMap((step) => stepLines(step, width)),
    '',
  ].join('\n');
}

/** For example `9 ok, 1 failed, 1 skipped`. */
function counts(steps: readonly DoctorStep[]): string {
  const states = ['ok', 'notice', 'failed', 'skipped'] as const;
  return states
    .map((state) => ({ state, count: steps.filter((step) => step.state === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${count} ${state}`)
    .join(', ');
}

function stepLines(
  { title, state, tookMs, asked, answer, means, remedy, findings }: DoctorStep,
  width: number,
): string[] {
  const time = tookMs === null ? '' : milliseconds(tookMs);
  return [
    `${signs[state]}  ${title.padEnd(width)}  ${time}`.trimEnd(),
    `             asked   ${asked}`,
    ...(answer === '' ? [] : [`             answer  ${answer}`]),
    ...(means === null ? [] : [`             means   ${means}`]),
    ...(remedy === null ? [] : [`             do      ${remedy}`]),
    ...findings.filter((finding) => finding.state !== 'holds').map(findingLine),
  ];
}

function findingLine({ state, clause, title, text }: ContractFinding): string {
  return `             ${state === 'drifts' ? '! drifts ' : '– skipped'}  ${clause}  ${title}: ${text}`;
}
