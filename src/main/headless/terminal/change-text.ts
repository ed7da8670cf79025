import type { ChangeView } from '#shared/campaign/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
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

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const hoursPerDay = 24;

/** The hours of the week that change, day by day: `− Mon 09:00–12:00, 18:00–24:00`, then what is added in the same form. */
function hoursText({ before, after }: NonNullable<ChangeView['schedule']>): string[] {
  const isRemoved = (hour: number): boolean => before[hour] === 1 && after[hour] !== 1;
  const isAdded = (hour: number): boolean => before[hour] !== 1 && after[hour] === 1;
  return [...byDay('−', isRemoved), ...byDay('+', isAdded)];
}

function byDay(sign: string, isChanged: (hour: number) => boolean): string[] {
  return days.flatMap((day, index) => {
    const spans = spansOf((hour) => isChanged(index * hoursPerDay + hour));
    return spans.length === 0 ? [] : [`${sign} ${day} ${spans.join(', ')}`];
  });
}

/** Hours that follow each other, as one span from the first to the end of the last. */
function spansOf(isChanged: (hour: number) => boolean): string[] {
  const spans: string[] = [];
  let from: number | null = null;
  for (let hour = 0; hour <= hoursPerDay; hour += 1) {
    const isIn = hour < hoursPerDay && isChanged(hour);
    if (isIn) from ??= hour;
    else if (from !== null) {
      spans.push(`${clock(from)}–${clock(hour)}`);
      from = null;
    }
  }
  return spans;
}

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
