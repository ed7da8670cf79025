import { countedSteps, hasEnded, stepSigns } from '#core/compose.ts';
import type { DoctorReport, DoctorStep } from '#shared/app-api/index.ts';
import type { Style } from '../../terminal/style.ts';

/** Longer answers stand in the whole report, in code points. */
const mostAnswer = 90;

const margin = ' '.repeat(11);

/** A step that has ended: one line, and below it what a failure or a notice means and what to do. */
export function stepLines(step: DoctorStep, { steps }: DoctorReport, style: Style): string[] {
  const { state, title, answer, means, remedy, findings } = step;
  if (!hasEnded(state)) return [];
  const width = Math.max(...steps.map((each) => each.title.length));
  const paint = { ok: style.verified, notice: style.warning, failed: style.loss, skipped: style.quiet }[
    state
  ];
  const head = `${paint(stepSigns[state])}  ${title.padEnd(width)}`;
  const drifts = findings.filter((finding) => finding.state === 'drifts');
  if (state === 'ok') return [`${head}  ${style.quiet(shorten(answer))}`];
  return [
    `${head}  ${state === 'skipped' ? style.quiet(means ?? '') : answer}`.trimEnd(),
    ...(means === null || state === 'skipped' ? [] : [`${margin}means  ${means}`]),
    ...(remedy === null ? [] : [`${margin}do     ${remedy}`]),
    ...drifts.map(({ clause, title: line, text }) => `${margin}drift  ${clause}  ${line}: ${text}`),
  ];
}

/** For example `8 ok, 1 failed, 2 skipped.` */
export function summary({ steps }: DoctorReport): string {
  return `${countedSteps(steps)}.`;
}

function shorten(text: string): string {
  const points = [...text];
  return points.length <= mostAnswer ? text : `${points.slice(0, mostAnswer - 1).join('')}…`;
}
