import type { ProposalView } from '#shared/app-api/index.ts';
import {
  alwaysUnlimitedText,
  dated,
  ofCampaigns,
  perDayWords,
  untilEndWords,
} from '#shared/campaign/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { Style } from './style.ts';

type Risk = ProposalView['risk'];

/** The money at risk before and after, in one line for each figure, the whole queue's too where others wait. */
export function riskText({ risk, queue }: Pick<ProposalView, 'risk' | 'queue'>, style: Style): string[] {
  const {
    campaignCount = 1,
    alwaysUnlimited: apart = { perDay: 0, untilEnd: 0 },
    bidFactor,
    headline,
  } = risk;
  const year = new Date().getFullYear();
  const perDay = perDayWords(risk.perDay, year);
  const untilEnd = untilEndWords(risk.untilEnd, year);
  const rows: [string, string][] = [
    [`${perDay.label}${ofCampaigns(campaignCount, apart.perDay)}`, pair(risk.perDay, perDay, style)],
    [`${untilEnd.label}${ofCampaigns(campaignCount, apart.untilEnd)}`, pair(risk.untilEnd, untilEnd, style)],
  ];
  if (headline !== undefined) {
    const { label, before, after } = headline;
    rows.unshift([inertText(label), `${inertText(before)} → ${style.strong(inertText(after))}`]);
  }
  if (bidFactor !== null) rows.push(['bid', style.strong(inertText(bidFactor))]);
  if (queue !== null) {
    const words = perDayWords(queue.perDay, year);
    rows.push([`${words.label}, whole queue (${queue.count})`, pair(queue.perDay, words, style)]);
  }
  const width = Math.max(...rows.map(([label]) => label.length));
  return [
    'AT RISK',
    ...rows.map(([label, figure]) => `  ${label.padEnd(width)}  ${figure}`),
    ...alwaysUnlimitedText(apart).map((line) => `  ${line}`),
    ...risk.notes.map((note) => style.quiet(`  ${inertText(note)}`)),
  ];
}

function pair(
  { before, after }: Risk['perDay'],
  words: ReturnType<typeof perDayWords>,
  style: Style,
): string {
  const text = dated(inertText(after.text), words.after);
  if (!words.changes) return text;
  const isFreed = after.unlimited && !before.unlimited;
  const to = isFreed ? style.loss(text) : style.strong(text);
  return `${dated(inertText(before.text), words.before)} → ${to}`;
}
