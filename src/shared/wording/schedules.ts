import {
  campaignTaskSchema,
  reportTaskSchema,
  statusNames,
  taskScheduleSchema,
  taskWeekdays,
  type ReportParameters,
  type TaskSchedule,
  type TaskWeekday,
} from '../contract/index.ts';
import { assertNever } from '../lib/assert-never.ts';
import { fullDateText } from '../lib/date-text.ts';
import { inertStart, inertText, quotedStart } from '../lib/inert-text.ts';
import type { JsonValue } from '../lib/json/json-value.ts';
import type { Formats } from '../lib/formats.ts';
import { listed } from '../lib/sentence.ts';

const dayNames: Readonly<Record<TaskWeekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

/** `Every day at 09:00 (Europe/Berlin)`. Names of zones are foreign text: inert. */
export function scheduleInWords(schedule: TaskSchedule): string {
  switch (schedule.type) {
    case 'once':
      return `Once, on ${instantInWords(schedule.at)}`;
    case 'daily':
      return `Every day at ${schedule.time} (${inertText(schedule.timezone)})`;
    case 'weekly':
      return `${daysInWords(schedule.days)} at ${schedule.time} (${inertText(schedule.timezone)})`;
    default:
      return assertNever(schedule);
  }
}

/** `24 Nov 2026, 09:00 (UTC+01:00)` */
function instantInWords(at: string): string {
  const [, date = '', time = '', offset = ''] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}).*?(Z|[+-]\d{2}:?\d{2})$/.exec(at) ?? [];
  if (date === '') return inertText(at);
  return `${fullDateText(date)}, ${time} (UTC${offset === 'Z' ? '' : offset})`;
}

function daysInWords(days: readonly TaskWeekday[]): string {
  const chosen = taskWeekdays.filter((day) => days.includes(day));
  if (chosen.length === taskWeekdays.length) return 'Every day';
  return `Every ${listed(chosen.map((day) => dayNames[day]))}`;
}

/** `XML traffic of source 7301 by day, the 7 days before, as CSV`. */
export function reportInWords(parameters: ReportParameters): string {
  const { lastDays, format } = parameters;
  const range = lastDays === 1 ? 'the day before' : `the ${lastDays} days before`;
  return `${reportSubject(parameters)}, ${range}, as ${format.toUpperCase()}`;
}

function reportSubject(parameters: ReportParameters): string {
  if (parameters.report === 'xml') {
    const { tid, groupBy } = parameters;
    const by = { day: 'day', geo: 'country', subid: 'sub-ID' } as const;
    return `XML traffic of source ${tid} by ${by[groupBy]}`;
  }
  return `Search report of ${parameters.sid === undefined ? 'every feed' : `feed ${parameters.sid}`}`;
}

/** Words for any task of the service; unknown kinds are named as they are, inert. */
export interface TaskWords {
  what: string;
  when: string;
  /** `change`: the user is asked each time. */
  kind: 'report' | 'change' | 'unknown';
}

const maxWords = 80;

export function taskInWords(
  task: { kind: string; schedule: JsonValue; parameters: JsonValue },
  formats: Formats,
): TaskWords {
  const schedule = taskScheduleSchema.safeParse(task.schedule);
  const when = schedule.success ? scheduleInWords(schedule.data) : 'Unknown';
  const report = reportTaskSchema.shape.parameters.safeParse(task.parameters);
  if (task.kind === 'report_export' && report.success) {
    return { what: reportInWords(report.data), when, kind: 'report' };
  }
  const change = campaignTaskSchema.safeParse({ kind: task.kind, parameters: task.parameters });
  if (change.success) return { what: changeWords(change.data, formats), when, kind: 'change' };
  return { what: `Task of the kind ${quotedStart(task.kind, maxWords)}`, when, kind: 'unknown' };
}

function changeWords(task: ReturnType<typeof campaignTaskSchema.parse>, formats: Formats): string {
  if (task.kind === 'campaign_bid') {
    const { cid, payout } = task.parameters;
    return `Set the bid of campaign ${cid} to ${payout}, after an approval each time`;
  }
  const { cids, status } = task.parameters;
  const name = Object.values(statusNames).find((known) => known.toLowerCase() === status.toLowerCase());
  const campaigns = cids.length === 1 ? `campaign ${cids[0]}` : formats.counted(cids.length, 'campaign');
  return `Set ${campaigns} to ${name ?? inertStart(status, maxWords)}, after an approval each time`;
}
