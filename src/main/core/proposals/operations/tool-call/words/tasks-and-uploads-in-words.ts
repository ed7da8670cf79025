import { fieldLabel, moneyText } from '#shared/campaign/index.ts';
import type { ReportTask } from '#shared/contract/index.ts';
import { quotedStart } from '#shared/lib/inert-text.ts';
import { reportInWords, scheduleInWords, taskInWords } from '#shared/schedules/index.ts';
import { noFieldChanges, type ProposalWords } from '../../operation.ts';
import type { TaskChange, TaskOfCall, UploadFor, UploadOfCall } from '../stored-parts.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { ownWords, type OwnWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

/** Maximum length of a foreign name in a title, in code points. */
const maxName = 80;

/** Everything that will happen, for people: what is done, when, and what each time comes of it. A report spends nothing. */
export function taskWords(
  change: TaskChange,
  task: TaskOfCall,
  formats: Formats,
): Omit<ProposalWords, 'detail'> {
  return change.act === 'create' ? createWords(change.task, task, formats) : cancelWords(task, formats);
}

function createWords({ name, parameters, schedule }: ReportTask, { dueTimes }: TaskOfCall, formats: Formats) {
  const what = reportInWords(parameters);
  const when = scheduleInWords(schedule);
  const isOnce = schedule.type === 'once';
  return {
    ...nothingSpent(formats),
    title: sentence`Schedule a report${ownWords(name === undefined ? '' : ` ${quotedStart(name, maxName)}`)}: ${ownWords(what)}. ${ownWords(when)}`,
    changes: [
      line('what', 'What it does', `Makes a file of the ${what}`),
      line('when', 'When', when),
      line(
        'dueTimes',
        'First runs',
        dueTimes.length === 0 ? 'Not stated by the service' : timesInWords(dueTimes),
      ),
      line('effect', isOnce ? 'Result' : 'What each run does', 'It changes no campaign and spends nothing.'),
      line(
        'until',
        'Duration',
        isOnce
          ? 'One run, then the schedule ends'
          : 'Until it is cancelled, or the sign-in that made it ends',
      ),
    ],
  };
}

function cancelWords(task: TaskOfCall, formats: Formats) {
  const listed = task.listed === null ? null : taskInWords(task.listed, formats);
  const next = task.listed?.nextDueAt ?? null;
  return {
    ...nothingSpent(formats),
    title: sentence`Cancel ${scheduleName(task)}${ownWords(listed === null ? '' : `: ${listed.what}. ${listed.when}`)}`,
    changes: [
      line('state', 'What happens', 'The schedule ends for good; runs that were made stay.'),
      ...(listed === null
        ? []
        : [line('what', 'What it did', listed.what), line('when', 'When', listed.when)]),
      line('nextDueAt', 'Next run', next === null ? 'None' : `${timesInWords([next])} is cancelled`),
      line('due', 'Pending change', 'A change awaiting approval is dropped with the schedule.'),
    ],
  };
}

/** The same of a schedule that is cancelled or made a change due: longer than a service may store. */
const maxScheduleName = 300;

/** `schedule “Weekly pause”`: the name is foreign text. */
function scheduleName({ id, listed }: Pick<TaskOfCall, 'id' | 'listed'>): OwnWords {
  return ownWords(`schedule ${quotedStart(listed?.name ?? id, maxScheduleName)}`);
}

/** Note beside a change that a task made due. */
export function dueNotes(task: TaskOfCall, endsAtMs: number | null, formats: Formats): Sentence[] {
  const when = task.listed === null ? '' : ` ${taskInWords(task.listed, formats).when}.`;
  const until = endsAtMs === null ? '' : ` on ${momentInWords(endsAtMs)}`;
  return [
    sentence`Made due by ${scheduleName(task)}.${ownWords(when)}`,
    sentence`If you deny it, nothing is sent and the service drops this change${ownWords(until)}; the schedule continues.`,
  ];
}

function nothingSpent(formats: Formats) {
  const noMoney = moneyText({ kind: 'amount', micros: 0n }, formats);
  const none = { before: noMoney, after: noMoney };
  return {
    targets: [],
    risk: { perDay: none, untilEnd: none, bidFactor: null, notes: [] },
    warnings: [],
    typeToConfirm: null,
    unchanged: [],
    effects: noFieldChanges,
    facts: [],
    comparable: null,
  } satisfies Partial<ProposalWords>;
}

function line(field: string, label: string, after: string): ProposalWords['changes'][number] {
  return {
    field,
    label,
    before: '',
    after,
    delta: null,
    factor: null,
    added: [],
    removed: [],
    schedule: null,
  };
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

const typeNames = { 'image/png': 'PNG', 'image/jpeg': 'JPEG', 'image/webp': 'WebP' } as const;

/** Words for the picture that will be published. An upload changes no campaign and spends nothing. */
export function uploadWords(
  upload: UploadOfCall,
  uploadFor: UploadFor | undefined,
  formats: Formats,
): Omit<ProposalWords, 'detail'> {
  const { kind, fileName, contentType, width, height, bytes } = upload;
  return {
    ...nothingSpent(formats),
    title: sentence`Upload the ${ownWords(fieldLabel(kind).toLowerCase())} ${fileName}`,
    changes: [
      line('fileName', 'File', fileName),
      line('kind', 'Use', `${fieldLabel(kind)} of a Push campaign`),
      line(
        'size',
        'Size',
        `${formats.count(width)} × ${formats.count(height)} pixels, ${typeNames[contentType]}, ${formats.count(bytes)} bytes`,
      ),
      ...(uploadFor === undefined ? [] : [line('for', 'For', campaignWords(uploadFor))]),
      line(
        'effect',
        'Result',
        'The service publishes it: anyone who knows its address can see it. No campaign changes, and nothing is spent.',
      ),
    ],
  };
}

/** The campaign keeps its picture until a change of its own is approved. */
function campaignWords({ cid, name }: UploadFor): string {
  return `${quotedStart(name, maxName)} (${cid}). It gets the picture by a second approval.`;
}
