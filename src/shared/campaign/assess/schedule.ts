import { type JsonObject, own } from '../../lib/json/json-value.ts';
import { inertText } from '../../lib/inert-text.ts';
import { decodeSchedule, hoursOn, hoursPerDay, hoursPerWeek } from '../schedule.ts';
import type { Mark, Risk } from './subject.ts';

const fields = ['shedule', 'enable_shedule', 'shedule_timezone'];

/** So many hours a week are as good as all of them. */
const nearlyAll = 160;

/**
 * A weekly schedule that is wiped: no hour is left, or nearly every hour is on and a day's worth of them is new. One to
 * which as many hours are added as it had; one that leaves a day's worth of hours or less; and one that cannot be read.
 */
export const scheduleRisk: Risk = ({ changes, before, after }) => {
  if (!changes.some(({ field }) => fields.includes(field))) return [];
  const week = weekInForce(after);
  if (week === null) {
    const text = 'The weekly schedule has a shape that Countersign does not know.';
    return [{ code: 'schedule_unknown', severity: 'warning', text }];
  }
  const earlier = weekInForce(before) ?? everyHour;
  const found = hoursRisk({ earlier, week });
  return found.length > 0 ? found : zoneRisk(before, after);
};

function hoursRisk({ earlier, week }: { earlier: readonly number[]; week: readonly number[] }): Mark[] {
  const [had, has] = [hoursOn(earlier), hoursOn(week)];
  const added = week.filter((on, hour) => on === 1 && earlier[hour] !== 1).length;
  const figure = { label: 'Hours a week', before: `${had} of 168`, after: `${has} of 168` };
  const wiped = (text: string): Mark[] => [{ code: 'schedule_wiped', severity: 'danger', text, figure }];
  if (has === 0) {
    return had === 0 ? [] : wiped('The weekly schedule is empty: the campaign runs in none of 168 hours.');
  }
  if (has >= nearlyAll && added >= hoursPerDay) {
    const [limits, all] = has === hoursPerWeek ? ['nothing', 'all'] : ['hardly anything', `${has} of`];
    return wiped(
      `The weekly schedule limits ${limits}: the campaign runs in ${all} 168 hours instead of ${had}.`,
    );
  }
  if (added > 0 && (added >= had || has === hoursPerWeek)) {
    const hours = added === 1 ? '1 hour' : `${added} hours`;
    const text = `The weekly schedule grows by ${hours}: the campaign runs in ${has} of 168 instead of ${had}.`;
    return [{ code: 'schedule_widened', severity: 'warning', text, figure }];
  }
  if (has > hoursPerDay || has >= had) return [];
  return [
    { code: 'schedule_sparse', severity: 'warning', text: `The campaign runs ${has} of 168 hours a week.` },
  ];
}

/** The same hours of another zone are other hours. */
function zoneRisk(before: JsonObject, after: JsonObject): Mark[] {
  const [from, to] = [own(before, 'shedule_timezone'), own(after, 'shedule_timezone')];
  const isLimited = [before, after].every((campaign) => {
    const week = weekInForce(campaign);
    return week !== null && hoursOn(week) < hoursPerWeek;
  });
  if (!isLimited || typeof from !== 'string' || typeof to !== 'string' || from === to) return [];
  const text = `The scheduled hours become those of ${inertText(to)} instead of ${inertText(from)}.`;
  const figure = { label: 'Schedule time zone', before: inertText(from), after: inertText(to) };
  return [{ code: 'schedule_zone_changes', severity: 'warning', text, figure }];
}

const everyHour: readonly number[] = Array.from({ length: hoursPerWeek }, () => 1);

/** The hours of the week in which the campaign may run; null where the schedule cannot be read. */
function weekInForce(campaign: JsonObject): readonly number[] | null {
  return own(campaign, 'enable_shedule') === 1 ? decodeSchedule(own(campaign, 'shedule')) : everyHour;
}
