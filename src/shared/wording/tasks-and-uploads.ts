import { fieldLabel, type PictureKind, type PictureType } from '../campaign/index.ts';
import {
  campaignTaskSchema,
  reportTaskSchema,
  statusNames,
  taskScheduleSchema,
  taskWeekdays,
  type ReportParameters,
  type TaskSchedule,
  type TaskWeekday,
  type ReportTask,
} from '../contract/index.ts';
import { assertNever } from '../lib/assert-never.ts';
import { fullDateText } from '../lib/date-text.ts';
import type { Formats } from '../lib/formats.ts';
import { inertStart, inertText, quotedStart } from '../lib/inert-text.ts';
import type { JsonValue } from '../lib/json/json-value.ts';
import { listed, ownWords, type OwnWords, type Sentence, sentence } from '../lib/sentence.ts';
import { wordsWithoutChange, type TaskOfCall, type WriteWords } from './effects.ts';
import { noMoney } from './money.ts';
import { plainChange } from './status.ts';
import { titles } from './titles.ts';

const dayNames: Readonly<Record<TaskWeekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

/** `Every day at 09:00 (Europe/Berlin)`. Zone names are untrusted text and made inert. */
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
function reportInWords(parameters: ReportParameters): string {
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

/** Texts for a task of the service. For an unknown kind, `what` quotes the name of the kind. */
interface TaskWords {
  what: string;
  when: string;
  kind: 'report' | 'change' | 'unknown';
}

const maxQuoteLength = 80;

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
  return { what: `Task of the kind ${quotedStart(task.kind, maxQuoteLength)}`, when, kind: 'unknown' };
}

function changeWords(task: ReturnType<typeof campaignTaskSchema.parse>, formats: Formats): string {
  if (task.kind === 'campaign_bid') {
    const { cid, payout } = task.parameters;
    return `Set the bid of campaign ${cid} to ${payout}, after an approval each time`;
  }
  const { cids, status } = task.parameters;
  const name = Object.values(statusNames).find((known) => known.toLowerCase() === status.toLowerCase());
  const campaigns = cids.length === 1 ? `campaign ${cids[0]}` : formats.counted(cids.length, 'campaign');
  return `Set ${campaigns} to ${name ?? inertStart(status, maxQuoteLength)}, after an approval each time`;
}

export type TaskChange = { act: 'create'; task: ReportTask } | { act: 'cancel' };

export function taskWords(change: TaskChange, task: TaskOfCall, formats: Formats): WriteWords {
  return change.act === 'create' ? createWords(change.task, task, formats) : cancelWords(task, formats);
}

function createWords(
  { name, parameters, schedule }: ReportTask,
  { dueTimes }: TaskOfCall,
  formats: Formats,
): WriteWords {
  const what = reportInWords(parameters);
  const when = scheduleInWords(schedule);
  const isOnce = schedule.type === 'once';
  return {
    ...wordsWithoutChange(titles.report(name, what, when), noMoney(formats)),
    changes: [
      plainChange('what', 'What it does', `Makes a file of the ${what}`),
      plainChange('when', 'When', when),
      plainChange(
        'dueTimes',
        'First runs',
        dueTimes.length === 0 ? 'Not stated by the service' : timesInWords(dueTimes),
      ),
      plainChange(
        'effect',
        isOnce ? 'Result' : 'What each run does',
        'It changes no campaign and spends nothing.',
      ),
      plainChange(
        'until',
        'Duration',
        isOnce
          ? 'One run, then the schedule ends'
          : 'Until it is cancelled, or the sign-in that made it ends',
      ),
    ],
  };
}

function cancelWords(task: TaskOfCall, formats: Formats): WriteWords {
  const listed = task.listed === null ? null : taskInWords(task.listed, formats);
  const next = task.listed?.nextDueAt ?? null;
  return {
    ...wordsWithoutChange(titles.cancel(scheduleName(task), listed), noMoney(formats)),
    changes: [
      plainChange('state', 'What happens', 'The schedule ends for good; runs that were made stay.'),
      ...(listed === null
        ? []
        : [plainChange('what', 'What it did', listed.what), plainChange('when', 'When', listed.when)]),
      plainChange('nextDueAt', 'Next run', next === null ? 'None' : `${timesInWords([next])} is cancelled`),
      plainChange('due', 'Pending change', 'A change awaiting approval is dropped with the schedule.'),
    ],
  };
}

const maxScheduleName = 300;

function scheduleName({ id, listed }: Pick<TaskOfCall, 'id' | 'listed'>): OwnWords {
  return ownWords(`schedule ${quotedStart(listed?.name ?? id, maxScheduleName)}`);
}

export function dueNotes(task: TaskOfCall, endsAtMs: number | null, formats: Formats): Sentence[] {
  const when = task.listed === null ? '' : ` ${taskInWords(task.listed, formats).when}.`;
  const until = endsAtMs === null ? '' : ` on ${momentInWords(endsAtMs)}`;
  return [
    sentence`Made due by ${scheduleName(task)}.${ownWords(when)}`,
    sentence`If you deny it, nothing is sent and the service drops this change${ownWords(until)}; the schedule continues.`,
  ];
}

function timesInWords(times: readonly string[]): string {
  return times.map((time) => momentInWords(Date.parse(time))).join('; ');
}

/** `Tue 24 Nov 2026, 08:00 UTC`. The schedule itself names its zone. */
function momentInWords(ms: number): string {
  if (Number.isNaN(ms)) return 'an unknown time';
  const [day = '', date = '', month = '', year = '', time = ''] = new Date(ms).toUTCString().split(/,? /);
  return `${day} ${Number(date)} ${month} ${year}, ${time.slice(0, 5)} UTC`;
}

interface UploadOfCall {
  kind: PictureKind;
  fileName: string;
  contentType: PictureType;
  bytes: number;
  width: number;
  height: number;
  sha256: string;
}

interface UploadTarget {
  cid: number;
  name: string;
}

const typeNames = { 'image/png': 'PNG', 'image/jpeg': 'JPEG', 'image/webp': 'WebP' } as const;

export function uploadWords(
  upload: UploadOfCall,
  target: UploadTarget | undefined,
  formats: Formats,
): WriteWords {
  const { kind, fileName, contentType, width, height, bytes } = upload;
  return {
    ...wordsWithoutChange(titles.upload(kind, fileName), noMoney(formats)),
    changes: [
      plainChange('fileName', 'File', fileName),
      plainChange('kind', 'Use', `${fieldLabel(kind)} of a Push campaign`),
      plainChange(
        'size',
        'Size',
        `${formats.count(width)} × ${formats.count(height)} pixels, ${typeNames[contentType]}, ${formats.count(bytes)} bytes`,
      ),
      ...(target === undefined ? [] : [plainChange('for', 'For', campaignWords(target))]),
      plainChange(
        'effect',
        'Result',
        'The service publishes it: anyone who knows its address can see it. No campaign changes, and nothing is spent.',
      ),
    ],
  };
}

const maxCampaignName = 80;

function campaignWords({ cid, name }: UploadTarget): string {
  return `${quotedStart(name, maxCampaignName)} (${cid}). It gets the picture by a second approval.`;
}
