import { fullDateText } from '../../lib/date-text.ts';
import { dateOfDay } from '../calendar.ts';
import { flightEnd, flightStart, type FlightHour } from '../exposure/index.ts';
import { counted } from '../words/list-words.ts';
import type { Mark, Risk } from './subject.ts';

const fields = ['enable_time', 'create', 'create_time', 'expire', 'expire_time'];

/** An end that moves by less is not far out, however short the flight was. */
const farDays = 7;

/**
 * A flight that lets the campaign run when it could not before, whatever its status is now: one that was over, an earlier
 * start, an end that is gone, and one that is far out, which makes what remains twice as long or more.
 */
export const flightRisk: Risk = ({ changes, before, after, today }) => {
  if (!changes.some(({ field }) => fields.includes(field))) return [];
  const from = { start: flightStart(before, today), end: flightEnd(before) };
  const to = { start: flightStart(after, today), end: flightEnd(after) };
  if (isOver(to)) return [];
  if (isOver(from)) return [revived(from, to)];
  return [...earlierStart(from.start, to.start, dateOf(to.start) === today.date), ...laterEnd(from, to)];
};

interface Flight {
  start: FlightHour;
  end: FlightHour | null;
}

function isOver({ start, end }: Flight): boolean {
  return end !== null && isEarlier(end, start);
}

function isEarlier(one: FlightHour, other: FlightHour): boolean {
  return one.day < other.day || (one.day === other.day && one.hour < other.hour);
}

function revived(from: Flight, to: Flight): Mark {
  const until = endWords(to.end);
  return {
    code: 'flight_revived',
    severity: 'warning',
    text: `The flight had no hour left. Now it ${to.end === null ? 'has no end' : `ends on ${until}`}.`,
    figure: { label: 'Last day', before: endWords(from.end), after: until },
  };
}

function earlierStart(from: FlightHour, to: FlightHour, isToday: boolean): Mark[] {
  if (!isEarlier(to, from)) return [];
  const [early, late] = [isToday ? 'today' : `on ${dayWords(to)}`, dayWords(from)];
  const isSameDay = from.day === to.day;
  return [
    {
      code: 'starts_earlier',
      severity: isSameDay ? 'notice' : 'warning',
      text: isSameDay
        ? `The campaign can start earlier on ${late}.`
        : `The campaign can start ${early} instead of on ${late}.`,
      figure: { label: 'Start', before: late, after: isToday ? 'Today' : dayWords(to) },
    },
  ];
}

function laterEnd(from: Flight, to: Flight): Mark[] {
  if (from.end === null) return [];
  const figure = { label: 'Last day', before: endWords(from.end), after: endWords(to.end) };
  if (to.end === null) {
    const text = `The flight has no end any more. It ended on ${figure.before}.`;
    return [{ code: 'end_removed', severity: 'warning', text, figure }];
  }
  const more = to.end.day - from.end.day;
  const isTwice = to.end.day - to.start.day + 1 >= 2 * (from.end.day - from.start.day + 1);
  if (more < farDays || !isTwice) return [];
  const text = `The flight ends on ${figure.after} instead of ${figure.before}: ${counted(more)} more days.`;
  return [{ code: 'flight_extended', severity: 'warning', text, figure }];
}

function endWords(end: FlightHour | null): string {
  return end === null ? 'No end' : fullDateText(dateOf(end));
}

function dayWords(hour: FlightHour): string {
  return fullDateText(dateOf(hour));
}

function dateOf({ day }: FlightHour): string {
  return dateOfDay(day);
}
