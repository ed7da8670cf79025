import { dayNumber, decodeSchedule, isTimeZone, minuteOfDay } from '../time/calendar.ts';
import { fieldWords, limits } from '../fields/fields.ts';
import {
  checkFlag,
  checkInteger,
  checkText,
  checkTextOrNull,
  isOn,
  isUnchanged,
  type Report,
  reportOfChanges,
  required,
  type Rule,
  type Subject,
  valueOf,
} from './checks.ts';
import type { Formats } from '../../lib/formats.ts';
import { ownWords, sentence } from '../../lib/sentence.ts';

/** Frequency cap and pacing: 0 is off. Any other mode needs its counter and the tenant's switch (contract §2.4, §8). */
export const checkDelivery: Rule = (subject, report, formats: Formats) => {
  const { enable_freq_cap, enable_traffic_speed } = subject.context.settings;
  checkMode(
    subject,
    {
      mode: 'freq_cap',
      counter: 'freq_counter',
      min: 1,
      enabled: enable_freq_cap,
      report,
    },
    formats,
  );
  checkMode(
    subject,
    {
      mode: 'traffic_speed',
      counter: 'traffic_speed_counter',
      min: limits.pacingCounter,
      enabled: enable_traffic_speed,
      report,
    },
    formats,
  );
};

interface Mode {
  mode: string;
  counter: string;
  min: number;
  /** True if the tenant offers the mode. A stored mode may stay even if it does not. */
  enabled: boolean;
  report: Report;
}

function checkMode(subject: Subject, { mode, counter, min, enabled, ...rest }: Mode, formats: Formats): void {
  const report = reportOfChanges(subject, { with: [mode, 'type'], absence: 'passed over' }, rest.report);
  const chosen = checkInteger(subject, mode, report);
  const count = checkInteger(subject, counter, report);
  if (chosen !== null && chosen < 0)
    report(mode, 'out_of_range', sentence`${fieldWords(mode)} must be 0 or more.`);
  const isModeOn = chosen !== null && chosen > 0;
  if (isModeOn && !enabled && !isUnchanged(subject, mode)) {
    report(mode, 'not_allowed', sentence`${fieldWords(mode)} is not available for this account.`);
  }
  const floor = isModeOn ? min : 0;
  if (count === null || count >= floor) return;
  report(
    counter,
    'out_of_range',
    sentence`${fieldWords(counter)} must be at least ${ownWords(formats.count(floor))}.`,
  );
}

const minutesPerDay = 1440;

/**
 * The flight (contract §2.4). While it is on, a start is required and the end must not precede it. While it is off,
 * only the shape is checked.
 */
export const checkFlight: Rule = (subject, reportAny) => {
  checkFlag(subject, 'enable_time', reportAny);
  const report = reportOfChanges(subject, { with: ['enable_time'], absence: 'reported' }, reportAny);
  if (!isOn(subject, 'enable_time')) {
    for (const field of ['create', 'create_time', 'expire', 'expire_time'])
      checkTextOrNull(subject, field, report);
    return;
  }
  const start = checkMoment(subject, { date: 'create', time: 'create_time', report });
  if (hasNoEnd(subject)) return;
  const end = checkMoment(subject, { date: 'expire', time: 'expire_time', report });
  if (start !== null && end !== null && end < start) {
    report('expire', 'ends_before_start', 'The end must not be before the start.');
  }
};

function hasNoEnd(subject: Subject): boolean {
  return ['expire', 'expire_time'].every((field) =>
    ['', null].includes(valueOf(subject, field) as string | null),
  );
}

function checkMoment(
  subject: Subject,
  { date, time, report }: { date: string; time: string; report: Report },
): number | null {
  const day = checkPart(subject, { field: date, read: dayNumber, report });
  const minute = checkPart(subject, { field: time, read: minuteOfDay, report });
  return day === null || minute === null ? null : day * minutesPerDay + minute;
}

function checkPart(
  subject: Subject,
  { field, read, report }: { field: string; read: (text: string) => number | null; report: Report },
): number | null {
  if (valueOf(subject, field) === null) return required(field, report);
  const text = checkText(subject, field, report);
  if (text === null) return null;
  if (text === '') return required(field, report);
  const part = read(text);
  if (part !== null) return part;
  if (read === dayNumber)
    report(field, 'invalid_date', sentence`${fieldWords(field)} must be a date like 2026-12-31.`);
  else report(field, 'invalid_time', sentence`${fieldWords(field)} must be a time like 09:30.`);
  return null;
}

/** The weekly schedule (contract §2.4): 168 hours, and a zone while it is on. A stored schedule of unknown shape may stay. */
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
