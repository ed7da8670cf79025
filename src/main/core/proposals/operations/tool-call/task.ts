import { z } from 'zod';
import { createTaskTools, type RemoteClient } from '#core/service-client/index.ts';
import { moneyText } from '#shared/campaign/index.ts';
import {
  cancelTaskPayloadSchema,
  reportTaskPayloadSchema,
  type ReportTask,
  type ScheduledTask,
} from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { quoted, quotedStart } from '#shared/lib/inert-text.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isJsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { reportInWords, scheduleInWords, taskInWords } from '#shared/schedules/index.ts';
import { noFieldChanges, type ProposalWords, type ReadBack } from '../operation.ts';
import { commitTool, isCommitMember, type Call } from './call-arguments.ts';

/** The scheduled task that a commit of the app's own is about (contract §4.3). */
export const taskOfCallSchema = z.object({
  id: z.string(),
  /** A new task, the end of one, or the change of one whose time has come. */
  act: z.enum(['create', 'cancel', 'due']),
  /** When a new task is due first, as the service said: ISO 8601. */
  dueTimes: z.array(z.string()),
  /** The task as the service listed it when this was proposed; null for a new one. */
  listed: z
    .object({
      name: z.string().nullable(),
      kind: z.string(),
      schedule: z.json(),
      parameters: z.json(),
      nextDueAt: z.string().nullable(),
    })
    .nullable(),
});

export type TaskOfCall = z.infer<typeof taskOfCallSchema>;

/** Effect of a commit on the tasks of an account, read out of its exact payload. */
type TaskChange = { act: 'create'; task: ReportTask } | { act: 'cancel' };

/**
 * The change that a commit of the app's own makes to the account's tasks; null where the payload has anything in it that is not known,
 * or is of another task.
 */
export function taskChange({ name, args }: Call, task: TaskOfCall | null): TaskChange | null {
  if (task === null || name !== commitTool || !Object.keys(args).every(isCommitMember)) return null;
  if (task.act === 'create') {
    const made = reportTaskPayloadSchema.safeParse(args['payload']);
    if (!made.success || made.data.id !== task.id) return null;
    const { id: _id, ...definition } = made.data;
    return { act: 'create', task: definition };
  }
  const ended = cancelTaskPayloadSchema.safeParse(args['payload']);
  const isIt = task.act === 'cancel' && ended.success && ended.data.taskId === task.id;
  return isIt ? { act: 'cancel' } : null;
}

/** The task that a commit creates, ends or executes, for any proposer; null for any other call. */
export function taskNamedBy(
  { name, args }: Call,
  task: TaskOfCall | null,
): Pick<TaskOfCall, 'id' | 'act'> | null {
  if (task !== null) return { id: task.id, act: task.act };
  const { payload } = args;
  if (name !== commitTool || payload === undefined || !isJsonObject(payload)) return null;
  const { id, kind, schedule, taskId } = payload;
  if (typeof id === 'string' && typeof kind === 'string' && schedule !== undefined)
    return { id, act: 'create' };
  return typeof taskId === 'string' && Object.keys(payload).length === 1
    ? { id: taskId, act: 'cancel' }
    : null;
}

/** Maximum length of a task's name in a title, in code points. */
const maxName = 80;

/** Everything that will happen, for people: what is done, when, and what each time comes of it. A report spends nothing. */
export function taskWords(change: TaskChange, task: TaskOfCall): Omit<ProposalWords, 'detail'> {
  return change.act === 'create' ? createWords(change.task, task) : cancelWords(task);
}

function createWords({ name, parameters, schedule }: ReportTask, { dueTimes }: TaskOfCall) {
  const what = reportInWords(parameters);
  const when = scheduleInWords(schedule);
  const isOnce = schedule.type === 'once';
  return {
    ...nothingSpent,
    title: `Schedule a report${name === undefined ? '' : ` ${quotedStart(name, maxName)}`}: ${what}. ${when}`,
    changes: [
      line('what', 'What it does', `Makes a file of the ${what}`),
      line('when', 'When', when),
      line(
        'dueTimes',
        'First runs',
        dueTimes.length === 0 ? 'Not stated by the service' : timesInWords(dueTimes),
      ),
      line(
        'effect',
        isOnce ? 'Result' : 'What each run does',
        'The service makes the report and keeps the file. It changes no campaign and spends nothing.',
      ),
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

function cancelWords(task: TaskOfCall) {
  const listed = task.listed === null ? null : taskInWords(task.listed);
  const next = task.listed?.nextDueAt ?? null;
  return {
    ...nothingSpent,
    title: `Cancel ${scheduleName(task)}${listed === null ? '' : `: ${listed.what}. ${listed.when}`}`,
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

/** `schedule “Weekly pause”`: the name is foreign text. */
function scheduleName({ id, listed }: Pick<TaskOfCall, 'id' | 'listed'>): string {
  return `schedule ${quoted(listed?.name ?? id)}`;
}

/** Note beside a change that a task made due. */
export function dueNotes(task: TaskOfCall, endsAtMs: number | null): string[] {
  const when = task.listed === null ? '' : ` ${taskInWords(task.listed).when}.`;
  const until = endsAtMs === null ? '' : ` on ${momentInWords(endsAtMs)}`;
  return [
    `Made due by ${scheduleName(task)}.${when}`,
    `If you deny it, nothing is sent and the service drops this change${until}; the schedule continues.`,
  ];
}

const noMoney = moneyText({ kind: 'amount', micros: 0n });
const none = { before: noMoney, after: noMoney };
const nothingSpent = {
  targets: [],
  risk: { perDay: none, untilEnd: none, bidFactor: null, notes: [] },
  warnings: [],
  typeToConfirm: null,
  unchanged: [],
  effects: noFieldChanges,
  facts: [],
  comparable: null,
} satisfies Partial<ProposalWords>;

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

/**
 * Reads the account's tasks back: the new one as it was asked for, or the end of the old one. A list that cannot be read proves
 * nothing.
 */
export async function readBackTask(
  remote: Pick<RemoteClient, 'callTool'>,
  change: TaskChange,
  { id }: TaskOfCall,
): Promise<ReadBack> {
  let found: ScheduledTask | undefined;
  try {
    const { tasks } = await createTaskTools(remote).list();
    found = tasks.find((task) => task.id === id);
  } catch (failure) {
    if (failure instanceof AppError) return { isAsSent: true, evidence: 'none', verdicts: [] };
    throw failure;
  }
  if (change.act === 'cancel') {
    const isOver = found === undefined || found.state === 'cancelled';
    const verdict = verdictOf('state', {
      label: 'State',
      sent: 'cancelled',
      found: found?.state ?? 'gone',
      isStored: isOver,
    });
    return { isAsSent: isOver, evidence: isOver ? 'payload' : 'base', verdicts: [verdict] };
  }
  if (found === undefined) return { isAsSent: false, evidence: 'base', verdicts: [] };
  const verdicts = storedVerdicts(change.task, found);
  const isAsSent = verdicts.every(({ verdict }) => verdict === 'stored');
  return { isAsSent, evidence: isAsSent ? 'payload' : 'other', verdicts };
}

function storedVerdicts(task: ReportTask, found: ScheduledTask): ReadBack['verdicts'] {
  const { kind, schedule, parameters } = task;
  const [sent, now] = [taskInWords({ kind, schedule, parameters }), taskInWords(found)];
  const isEqual = (one: JsonValue, other: JsonValue): boolean => canonicalJson(one) === canonicalJson(other);
  return [
    verdictOf('what', {
      label: 'What it does',
      sent: sent.what,
      found: now.what,
      isStored: found.kind === kind && isEqual(parameters, found.parameters),
    }),
    verdictOf('when', {
      label: 'When',
      sent: sent.when,
      found: now.when,
      isStored: isEqual(schedule, found.schedule),
    }),
  ];
}

function verdictOf(
  field: string,
  { isStored, ...values }: { label: string; sent: string; found: string; isStored: boolean },
): ReadBack['verdicts'][number] {
  return { field, ...values, verdict: isStored ? 'stored' : 'different' };
}
