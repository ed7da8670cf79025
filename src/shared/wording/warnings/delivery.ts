import { fullDateText } from '../../lib/date-text.ts';
import { isAtLeastTimes } from '../../lib/decimal.ts';
import { inertText } from '../../lib/inert-text.ts';
import { type JsonObject, type JsonValue, own } from '../../lib/json/json-value.ts';
import {
  dateOfDay,
  decodeSchedule,
  hoursOn,
  hoursPerDay,
  hoursPerWeek,
  flightEnd,
  type FlightHour,
  flightStart,
  fieldLabel,
  fieldWords,
} from '../../campaign/index.ts';
import { valuesInWords } from '../changes.ts';
import { valueInWords, valueWords } from '../values.ts';
import { firstChangedField, type Figure, type RiskFinding, type RiskRule, type Update } from './subject.ts';
import type { Formats } from '../../lib/formats.ts';
import { ownWords, sentence, type Sentence } from '../../lib/sentence.ts';

/** Mode 0 is off. Any other mode counts by its counter (contract §2.4). */
const deliveryLimits = [
  { mode: 'freq_cap', counter: 'freq_counter', code: 'frequency_cap' },
  { mode: 'traffic_speed', counter: 'traffic_speed_counter', code: 'pacing' },
] as const;

type DeliveryLimit = (typeof deliveryLimits)[number];

/**
 * Warns if the frequency cap or pacing is switched off, changes its mode, or allows at least twice as much. A smaller increase
 * is a notice.
 */
export const deliveryRisk: RiskRule = (update, formats: Formats) =>
  deliveryLimits.flatMap((brake) => deliveryLimitRisk(update, brake, formats));

function deliveryLimitRisk(
  update: Update,
  { mode, counter, code }: DeliveryLimit,
  formats: Formats,
): RiskFinding[] {
  const { before, after, context } = update;
  const [from, to] = [own(before, mode), own(after, mode)];
  if (!isOn(from)) return [];
  const label = fieldLabel(mode);
  if (!isOn(to)) {
    const figure = {
      label,
      before: valueInWords(counter, own(before, counter), context, formats),
      after: 'Off',
    };
    return [
      { code: `${code}_off`, field: mode, text: sentence`${fieldWords(mode)} is switched off.`, figure },
    ];
  }
  if (from !== to) {
    const text = sentence`${fieldWords(mode)} counts by another mode: Countersign cannot assess it.`;
    return [{ code: `${code}_mode`, field: mode, text }];
  }
  const [had, has] = [own(before, counter), own(after, counter)];
  if (had === has || (isCount(had) && isCount(has) && has < had)) return [];
  const isLarge = !isCount(had) || !isCount(has) || had <= 0 || isAtLeastTimes(had, has, 2n);
  const sides = valuesInWords(counter, { before: had, after: has }, context, formats);
  const figure = { label: fieldLabel(counter), ...sides };
  const text = sentence`${fieldWords(mode)} lets more through: ${valueWords(counter, sides.after)} instead of ${valueWords(counter, sides.before)}.`;
  return [{ code: isLarge ? `${code}_loosened` : `${code}_higher`, field: counter, text, figure }];
}

function isOn(mode: JsonValue | undefined): boolean {
  return mode !== 0 && mode !== undefined && mode !== null && mode !== false && mode !== '';
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

const weekFields = ['shedule', 'enable_shedule', 'shedule_timezone'];
const nearlyAllHours = 160;

/** Warns if a schedule is emptied, nearly empty or full, at least doubled, or unreadable. */
export const scheduleRisk: RiskRule = ({ changes, before, after }) => {
  const changed = firstChangedField({ changes }, weekFields);
  if (changed.field === undefined) return [];
  const week = effectiveWeek(after);
  if (week === null) {
    const text = sentence`The weekly schedule has a shape that Countersign does not know.`;
    return [{ code: 'schedule_unknown', ...changed, text }];
  }
  const earlier = effectiveWeek(before) ?? everyHour;
  const found = hoursRisk({ earlier, week });
  return found.length > 0 ? found.map((mark) => ({ ...mark, ...changed })) : zoneRisk(before, after);
};

function hoursRisk({
  earlier,
  week,
}: {
  earlier: readonly number[];
  week: readonly number[];
}): RiskFinding[] {
  const [had, has] = [hoursOn(earlier), hoursOn(week)];
  const added = week.filter((on, hour) => on === 1 && earlier[hour] !== 1).length;
  const removed = earlier.filter((on, hour) => on === 1 && week[hour] !== 1).length;
  const figure = hoursFigure({ had, has, added, removed });
  const wipedMark = (text: Sentence): RiskFinding[] => [{ code: 'schedule_wiped', text, figure }];
  if (has === 0) {
    return had === 0
      ? []
      : wipedMark(sentence`The weekly schedule is empty: the campaign runs in none of 168 hours.`);
  }
  if (has >= nearlyAllHours && added >= hoursPerDay) {
    const [limits, all] = has === hoursPerWeek ? ['nothing', 'all'] : ['hardly anything', `${has} of`];
    return wipedMark(
      sentence`The weekly schedule limits ${ownWords(limits)}: the campaign runs in ${ownWords(all)} 168 hours instead of ${had}.`,
    );
  }
  if (added > 0 && (added >= had || has === hoursPerWeek)) {
    const hours = added === 1 ? '1 hour' : `${added} hours`;
    const text = sentence`The weekly schedule grows by ${ownWords(hours)}: the campaign runs in ${has} of 168 instead of ${had}.`;
    return [{ code: 'schedule_widened', text, figure }];
  }
  if (has > hoursPerDay || has >= had) return [];
  return [{ code: 'schedule_sparse', text: sentence`The campaign runs ${has} of 168 hours a week.`, figure }];
}

function hoursFigure(hours: { had: number; has: number; added: number; removed: number }): Figure {
  const { had, has, added, removed } = hours;
  const delta = [...(added > 0 ? [`+${added} h`] : []), ...(removed > 0 ? [`−${removed} h`] : [])].join(
    ' / ',
  );
  return { label: 'Hours a week', before: `${had} of 168`, after: `${has} of 168`, delta };
}

/** Warns even if the hours are equal, because in another zone they are different hours. */
function zoneRisk(before: JsonObject, after: JsonObject): RiskFinding[] {
  const [from, to] = [own(before, 'shedule_timezone'), own(after, 'shedule_timezone')];
  const isLimited = [before, after].every((campaign) => {
    const week = effectiveWeek(campaign);
    return week !== null && hoursOn(week) < hoursPerWeek;
  });
  if (!isLimited || typeof from !== 'string' || typeof to !== 'string' || from === to) return [];
  const text = sentence`The scheduled hours become those of ${to} instead of ${from}.`;
  const figure = { label: 'Schedule time zone', before: inertText(from), after: inertText(to) };
  return [{ code: 'schedule_zone_changes', field: 'shedule_timezone', text, figure }];
}

const everyHour: readonly number[] = Array.from({ length: hoursPerWeek }, () => 1);

function effectiveWeek(campaign: JsonObject): readonly number[] | null {
  return own(campaign, 'enable_shedule') === 1 ? decodeSchedule(own(campaign, 'shedule')) : everyHour;
}

const startFields = ['create', 'create_time', 'enable_time'];
const endFields = ['expire', 'expire_time', 'enable_time'];
const flightFields = [...new Set([...endFields, ...startFields])];

/** A later end within this number of days needs no warning, however short the flight was. */
const minExtensionDays = 7;

/**
 * A flight that lets the campaign run on days on which it could not run before: it was over, or it gets an earlier
 * start, no end, or a much later end.
 */
export const flightRisk: RiskRule = ({ changes, before, after, today }, formats: Formats) => {
  const changed = firstChangedField({ changes }, flightFields);
  if (changed.field === undefined) return [];
  const from = { start: flightStart(before, today), end: flightEnd(before) };
  const to = { start: flightStart(after, today), end: flightEnd(after) };
  if (isOver(to)) return [];
  if (isOver(from)) return [{ ...revivedFlightMark(from, to), ...changed }];
  const startMarks = earlierStart(from.start, to.start, dateOf(to.start) === today.date);
  return [
    ...startMarks.map((mark) => ({ ...mark, ...firstChangedField({ changes }, startFields) })),
    ...laterEnd(from, to, formats).map((mark) => ({ ...mark, ...firstChangedField({ changes }, endFields) })),
  ];
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

function revivedFlightMark(from: Flight, to: Flight): RiskFinding {
  const until = endWords(to.end);
  return {
    code: 'flight_revived',
    text: sentence`The flight had no hour left. Now it ${ownWords(to.end === null ? 'has no end' : `ends on ${until}`)}.`,
    figure: { label: 'Last day', before: endWords(from.end), after: until },
  };
}

function earlierStart(from: FlightHour, to: FlightHour, isToday: boolean): RiskFinding[] {
  if (!isEarlier(to, from)) return [];
  const [early, late] = [isToday ? 'today' : `on ${dayWords(to)}`, dayWords(from)];
  const isSameDay = from.day === to.day;
  return [
    {
      code: isSameDay ? 'starts_earlier_today' : 'starts_earlier',
      text: isSameDay
        ? sentence`The campaign can start earlier on ${ownWords(late)}.`
        : sentence`The campaign can start ${ownWords(early)} instead of on ${ownWords(late)}.`,
      figure: { label: 'Start', before: late, after: isToday ? 'Today' : dayWords(to) },
    },
  ];
}

function laterEnd(from: Flight, to: Flight, formats: Formats): RiskFinding[] {
  if (from.end === null) return [];
  const figure = { label: 'Last day', before: endWords(from.end), after: endWords(to.end) };
  if (to.end === null) {
    const text = sentence`The flight no longer ends on ${ownWords(figure.before)}: it has no end.`;
    return [{ code: 'end_removed', text, figure }];
  }
  const more = to.end.day - from.end.day;
  const isTwice = to.end.day - to.start.day + 1 >= 2 * (from.end.day - from.start.day + 1);
  if (more < minExtensionDays || !isTwice) return [];
  const text = sentence`The flight ends on ${ownWords(figure.after)} instead of ${ownWords(figure.before)}: ${ownWords(formats.count(more))} more days.`;
  return [{ code: 'flight_extended', text, figure }];
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
