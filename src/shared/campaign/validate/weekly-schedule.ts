import { decodeSchedule } from '../schedule.ts';
import { isTimeZone } from '../service-day.ts';
import { checkFlag, checkText, checkTextOrNull } from './checks.ts';
import { isOn, isUnchanged, valueOf, type Rule } from './subject.ts';

/** The weekly schedule: all 168 hours, kept as they are when their shape is not known, and a zone while it is on (contract §2.4). */
export const checkWeeklySchedule: Rule = (subject, report) => {
  checkFlag(subject, 'enable_shedule', report);
  if (!isUnchanged(subject, 'shedule') && decodeSchedule(valueOf(subject, 'shedule')) === null) {
    report('shedule', 'invalid_schedule', 'The weekly schedule must have 168 hourly values of 0 or 1.');
  }
  if (!isOn(subject, 'enable_shedule')) return checkTextOrNull(subject, 'shedule_timezone', report);
  const zone = checkText(subject, 'shedule_timezone', report);
  if (zone === '') report('shedule_timezone', 'required', 'A schedule needs a time zone.');
  if (zone === null || isUnchanged(subject, 'shedule_timezone') || isTimeZone(zone)) return;
  report('shedule_timezone', 'invalid_time_zone', 'The time zone must be a name like Europe/Berlin or UTC.');
};
