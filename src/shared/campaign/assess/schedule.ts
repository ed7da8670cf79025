import type { JsonObject } from '../../lib/json/json-value.ts';
import { own } from '../../lib/json/own.ts';
import { decodeSchedule, hoursOn, hoursPerDay, hoursPerWeek } from '../schedule.ts';
import type { Warning } from '../types.ts';
import type { Risk } from './subject.ts';

const fields = ['shedule', 'enable_shedule'];

/** A weekly schedule that limits the hours and is wiped, leaves a day's worth of hours or less, or cannot be read. */
export const scheduleRisk: Risk = ({ changes, before, after }) => {
  if (!changes.some(({ field }) => fields.includes(field))) return [];
  const hours = hoursInForce(after);
  if (hours === null) {
    return [warning('schedule_unknown', 'The weekly schedule has a shape that Countersign does not know.')];
  }
  if (hours === 0) return [wiped('The weekly schedule is wiped: the campaign runs in none of 168 hours.')];
  const earlier = hoursInForce(before);
  if (hours === hoursPerWeek && earlier !== null && earlier < hoursPerWeek) {
    return [wiped(`The weekly schedule is wiped: the campaign runs in all 168 hours instead of ${earlier}.`)];
  }
  if (hours > hoursPerDay) return [];
  return [warning('schedule_sparse', `The campaign runs ${hours} of 168 hours a week.`)];
};

/** In how many hours of the week the campaign may run; null where the schedule cannot be read. */
function hoursInForce(campaign: JsonObject): number | null {
  if (own(campaign, 'enable_shedule') !== 1) return hoursPerWeek;
  const week = decodeSchedule(own(campaign, 'shedule'));
  return week === null ? null : hoursOn(week);
}

function wiped(text: string): Warning {
  return { code: 'schedule_wiped', severity: 'danger', text };
}

function warning(code: string, text: string): Warning {
  return { code, severity: 'warning', text };
}
