import { isTimeZone, serviceDay } from '#shared/campaign/index.ts';
import {
  maxReportDays,
  taskWeekdays,
  type ReportParameters,
  type ReportTask,
  type TaskSchedule,
  type TaskWeekday,
} from '#shared/contract/index.ts';
import { readDay, readMoment } from '#shared/drafts/index.ts';
import { addDays } from '#shared/reports/index.ts';

export interface ReportForm {
  name: string;
  report: 'xml' | 'search';
  tid: string;
  /** Empty means every feed. */
  sid: string;
  groupBy: 'day' | 'geo' | 'subid';
  lastDays: string;
  format: 'csv' | 'json';
  repeat: TaskSchedule['type'];
  date: string;
  days: readonly TaskWeekday[];
  /** HH:MM. */
  time: string;
  zone: string;
}

export type ReportPrefill = Partial<Pick<ReportForm, 'report' | 'tid' | 'sid' | 'groupBy'>> & {
  /** Number of days that the report covers. Values above {@link maxReportDays} are reduced to it. */
  days?: number;
};

export type FormErrors = Partial<Record<keyof ReportForm, string>>;

/** A form for every day at 9:00 in the profile's zone, from tomorrow on. */
export function newForm(
  { days = defaultDays, ...prefill }: ReportPrefill,
  { zone, nowMs }: { zone: string; nowMs: number },
): ReportForm {
  return {
    name: '',
    report: 'xml',
    tid: '',
    sid: '',
    groupBy: 'day',
    lastDays: String(Math.min(days, maxReportDays)),
    format: 'csv',
    repeat: 'daily',
    date: addDays(serviceDay(nowMs, zone).date, 1),
    days: ['mon'],
    time: '09:00',
    zone,
    ...prefill,
  };
}

const defaultDays = 7;

export function readForm(form: ReportForm, nowMs: number): { task: ReportTask } | { errors: FormErrors } {
  const errors: FormErrors = {};
  const parameters = readParameters(form, errors);
  const schedule = readSchedule(form, { nowMs, errors });
  const name = form.name.trim();
  if ([...name].length > maxName) errors.name = `Use at most ${maxName} characters.`;
  if (Object.keys(errors).length > 0) return { errors };
  return { task: { kind: 'report_export', ...(name === '' ? {} : { name }), schedule, parameters } };
}

const maxName = 100;

function readParameters(form: ReportForm, errors: FormErrors): ReportParameters {
  const { report, groupBy, format } = form;
  const lastDays = wholeNumber(form.lastDays);
  if (lastDays === null || lastDays > maxReportDays)
    errors.lastDays = `Enter whole days from 1 to ${maxReportDays}.`;
  const shared = { lastDays: lastDays ?? 1, format };
  if (report === 'xml') {
    const tid = wholeNumber(form.tid);
    if (tid === null) errors.tid = 'Choose a traffic source by its ID.';
    return { report, tid: tid ?? 1, groupBy, ...shared };
  }
  const sid = form.sid.trim() === '' ? undefined : wholeNumber(form.sid);
  if (sid === null) errors.sid = 'Enter the ID of a feed, or leave this empty for every feed.';
  return { report, ...(sid === undefined || sid === null ? {} : { sid }), ...shared };
}

function readSchedule(
  { repeat, date, time: typed, zone: typedZone, days }: ReportForm,
  { nowMs, errors }: { nowMs: number; errors: FormErrors },
): TaskSchedule {
  const [time, zone] = [typed.trim(), typedZone.trim()];
  const isTime = /^([01]\d|2[0-3]):[0-5]\d$/.test(time);
  if (!isTime) errors.time = 'Enter the time as HH:MM, from 00:00 to 23:59.';
  const isZone = !/^[+-]/.test(zone) && isTimeZone(zone);
  if (!isZone) errors.zone = 'Enter the name of a time zone, for example Europe/Berlin.';
  if (repeat === 'daily') return { type: 'daily', time, timezone: zone };
  if (repeat === 'weekly') {
    if (days.length === 0) errors.days = 'Choose at least one day.';
    return { type: 'weekly', days: taskWeekdays.filter((day) => days.includes(day)), time, timezone: zone };
  }
  const day = readDay(date, isZone ? serviceDay(nowMs, zone).date : '');
  if ('fault' in day) errors.date = day.fault;
  if ('fault' in day || !isTime || !isZone) return { type: 'once', at: '' };
  const found = readMoment({ date: day.date, time, zone }, nowMs);
  if ('fault' in found) errors.date = found.fault;
  return { type: 'once', at: 'fault' in found ? '' : found.at };
}

function wholeNumber(text: string): number | null {
  const value = /^\d{1,15}$/.test(text.trim()) ? Number(text) : 0;
  return value > 0 ? value : null;
}

/** The form field for a field name of the service. Null if the form has no such field. */
export function fieldOf(wireName: string): keyof ReportForm | null {
  const names: Readonly<Record<string, keyof ReportForm>> = {
    name: 'name',
    'schedule.at': 'date',
    'schedule.time': 'time',
    'schedule.timezone': 'zone',
    'schedule.days': 'days',
    'parameters.tid': 'tid',
    'parameters.sid': 'sid',
    'parameters.lastDays': 'lastDays',
  };
  return names[wireName] ?? null;
}
