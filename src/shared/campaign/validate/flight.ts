import { dayNumber, minuteOfDay } from '../calendar.ts';
import { fieldLabel } from '../fields/labels.ts';
import { checkFlag, checkText, checkTextOrNull, required } from './checks.ts';
import { isOn, valueOf, type Report, type Rule, type Subject } from './subject.ts';

const minutesPerDay = 1440;

/**
 * The start/end window (contract §2.4): while it is on, the start is required; the end may be left empty (no end) and
 * must not precede the start. While it is off, only the form is checked.
 */
export const checkFlight: Rule = (subject, report) => {
  checkFlag(subject, 'enable_time', report);
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

/** Minutes since 1970 of a date and a time field, or null when one of them was reported. */
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
    report(field, 'invalid_date', `${fieldLabel(field)} must be a date like 2026-12-31.`);
  else report(field, 'invalid_time', `${fieldLabel(field)} must be a time like 09:30.`);
  return null;
}
