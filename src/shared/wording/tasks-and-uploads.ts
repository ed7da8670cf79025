import { fieldLabel, type PictureKind, type PictureType } from '../campaign/index.ts';
import type { ReportTask } from '../contract/index.ts';
import type { Formats } from '../lib/formats.ts';
import { quotedStart } from '../lib/inert-text.ts';
import { ownWords, type OwnWords, type Sentence, sentence } from '../lib/sentence.ts';
import { noFieldChanges, type TaskOfCall, type WriteWords } from './effects.ts';
import { noMoney } from './money.ts';
import { reportInWords, scheduleInWords, taskInWords } from './schedules.ts';
import { plainChange } from './status.ts';
import { titles } from './titles.ts';

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
    ...nothingSpent(formats),
    title: titles.report(name, what, when),
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
    ...nothingSpent(formats),
    title: titles.cancel(scheduleName(task), listed),
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

/** The same of a schedule that is cancelled or made a change due: longer than a service may store. */
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

function nothingSpent(formats: Formats) {
  const none = noMoney(formats);
  return {
    targets: [],
    risk: { perDay: none, untilEnd: none, bidFactor: null, notes: [] },
    warnings: [],
    typeToConfirm: null,
    unchanged: [],
    effects: noFieldChanges,
    facts: [],
  } satisfies Partial<WriteWords>;
}

function timesInWords(times: readonly string[]): string {
  return times.map((time) => momentInWords(Date.parse(time))).join('; ');
}

/** `Tue 24 Nov 2026, 08:00 UTC`; the schedule itself names its own zone. */
function momentInWords(ms: number): string {
  if (Number.isNaN(ms)) return 'an unknown time';
  const [day = '', date = '', month = '', year = '', time = ''] = new Date(ms).toUTCString().split(/,? /);
  return `${day} ${Number(date)} ${month} ${year}, ${time.slice(0, 5)} UTC`;
}

export interface UploadOfCall {
  kind: PictureKind;
  fileName: string;
  contentType: PictureType;
  bytes: number;
  width: number;
  height: number;
  sha256: string;
}

export interface UploadFor {
  cid: number;
  name: string;
}

const typeNames = { 'image/png': 'PNG', 'image/jpeg': 'JPEG', 'image/webp': 'WebP' } as const;

export function uploadWords(
  upload: UploadOfCall,
  uploadFor: UploadFor | undefined,
  formats: Formats,
): WriteWords {
  const { kind, fileName, contentType, width, height, bytes } = upload;
  return {
    ...nothingSpent(formats),
    title: titles.upload(kind, fileName),
    changes: [
      plainChange('fileName', 'File', fileName),
      plainChange('kind', 'Use', `${fieldLabel(kind)} of a Push campaign`),
      plainChange(
        'size',
        'Size',
        `${formats.count(width)} × ${formats.count(height)} pixels, ${typeNames[contentType]}, ${formats.count(bytes)} bytes`,
      ),
      ...(uploadFor === undefined ? [] : [plainChange('for', 'For', campaignWords(uploadFor))]),
      plainChange(
        'effect',
        'Result',
        'The service publishes it: anyone who knows its address can see it. No campaign changes, and nothing is spent.',
      ),
    ],
  };
}

const maxCampaignName = 80;

/** The campaign keeps its picture until a change of its own is approved. */
function campaignWords({ cid, name }: UploadFor): string {
  return `${quotedStart(name, maxCampaignName)} (${cid}). It gets the picture by a second approval.`;
}
