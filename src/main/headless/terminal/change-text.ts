import type { ChangeView } from '#shared/campaign/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { hoursText } from './hours-text.ts';
import type { Style } from './style.ts';

/** One change: `Δ Bid  $0.045 → $0.054  +0.009  ×1.2`, then what was added to or removed from a list, or which hours. */
export function changeText(change: ChangeView, style: Style): string[] {
  const { label, before, after, delta, factor, added, removed, schedule } = change;
  const sizes = [delta, factor].filter((size) => size !== null).map((size) => `  ${size}`);
  return [
    `Δ ${inertText(label)}  ${inertText(before)} → ${style.strong(inertText(after))}${sizes.join('')}`,
    ...removed.map((member) => `    − ${inertText(member)}`),
    ...added.map((member) => `    + ${inertText(member)}`),
    ...(schedule === null ? [] : hoursText(schedule).map((line) => `    ${line}`)),
  ];
}
