import type { ProposalView } from '#shared/app-api/index.ts';
import { counted } from '#shared/lib/counted.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { Style } from './style.ts';

type Risk = ProposalView['risk'];

/** The money at risk before and after, in one line for each figure, the whole queue's too where others wait. */
export function riskText(
  { risk, targets, queue }: Pick<ProposalView, 'risk' | 'targets' | 'queue'>,
  style: Style,
): string[] {
  const targetCount = targets.length;
  const sum = targetCount > 1 ? `, ${counted(targetCount, 'campaign')}` : '';
  const end = risk.endsOn === null ? 'until the end' : `until ${risk.endsOn}`;
  const rows: [string, string][] = [
    [`per day${sum}`, pair(risk.perDay, style)],
    [`${end}${sum}`, pair(risk.untilEnd, style)],
  ];
  if (risk.bidFactor !== null) rows.push(['bid', style.strong(inertText(risk.bidFactor))]);
  if (queue !== null) rows.push([`per day, whole queue (${queue.count})`, pair(queue.perDay, style)]);
  const width = Math.max(...rows.map(([label]) => label.length));
  return [
    'AT RISK',
    ...rows.map(([label, figure]) => `  ${label.padEnd(width)}  ${figure}`),
    ...risk.notes.map((note) => style.quiet(`  ${inertText(note)}`)),
  ];
}

function pair({ before, after }: Risk['perDay'], style: Style): string {
  const text = inertText(after.text);
  return `${inertText(before.text)} → ${after.unlimited ? style.loss(text) : style.strong(text)}`;
}
