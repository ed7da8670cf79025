import { own } from '../diff.ts';
import { decodeSchedule, hoursOn, hoursPerDay } from '../schedule.ts';
import type { Risk } from './subject.ts';

const fields = ['shedule', 'enable_shedule'];

/** A changed schedule that leaves a day's worth of hours or less, or that cannot be read. */
export const scheduleRisk: Risk = ({ changes, after }) => {
  if (own(after, 'enable_shedule') !== 1 || !changes.some(({ field }) => fields.includes(field))) return [];
  const week = decodeSchedule(own(after, 'shedule'));
  if (week === null) {
    const text = 'The weekly schedule has a shape that Countersign does not know.';
    return [{ code: 'schedule_unknown', severity: 'warning', text }];
  }
  const on = hoursOn(week);
  if (on > hoursPerDay) return [];
  return [
    { code: 'schedule_sparse', severity: 'warning', text: `The campaign runs ${on} of 168 hours a week.` },
  ];
};
