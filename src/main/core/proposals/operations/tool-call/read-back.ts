import {
  type CampaignReader,
  createTaskTools,
  type RemoteClient,
  toolErrorIn,
  toolRefusalWords,
  withServiceWords,
} from '#core/service-client/index.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import type { ReportTask, ScheduledTask } from '#shared/contract/index.ts';
import { AppError, catalogue, parseStrictJson } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { taskInWords } from '#shared/schedules/index.ts';
import { AnsweredFailure, type ReadBack } from '../operation.ts';
import { readBackStatus } from '../status-change/read-back.ts';
import { readBackUpdate } from '../update/read-back.ts';
import { comparableChange, knownChange, toolCallParts } from './stored-parts.ts';
import type { ToolCallParts, TaskOfCall } from './stored-call.ts';
import { commitTool, keyIn } from './call-arguments.ts';
import { taskChange, type TaskChange } from './scheduled-task.ts';
import type { Formats } from '#shared/lib/formats.ts';

/** The service may have failed after the change. */
const leastFailing = 500;

/** The kept answer read back. */
export function answerIn(text: string): JsonObject {
  const answer = parseStrictJson(text);
  if (!isJsonObject(answer)) throw new Error('The result of a call is an object');
  return answer;
}

/**
 * Passes for a result that accepts the call. Fails with `tool_refused` in the service's words, or with `outcome_unknown` where the
 * service says that it failed itself; the answer is kept either way.
 */
export function assertAccepted(result: JsonObject): void {
  if (result['isError'] !== true) return;
  const answer = JSON.stringify(result);
  const { statusCode } = toolErrorIn(result);
  if (typeof statusCode === 'number' && statusCode >= leastFailing) {
    throw new AnsweredFailure('outcome_unknown', { answer });
  }
  throw new AnsweredFailure('tool_refused', {
    answer,
    ...withServiceWords(catalogue.tool_refused.text, toolRefusalWords(result)),
  });
}

/** Result of the service's own verification of a commit (`completed`, `partial`, `not_stored`); null where it says nothing. */
function commitStatus(result: JsonObject): string | null {
  const status = dataIn(result)['status'];
  return typeof status === 'string' ? status : null;
}

function dataIn(result: JsonObject): JsonObject {
  const content = result['structuredContent'];
  const data = isJsonObject(content) ? content['data'] : undefined;
  return isJsonObject(data) ? data : {};
}

export interface ReadingBack {
  reader: CampaignReader;
  remote: Pick<RemoteClient, 'callTool'>;
  /** The service's answer to the call; null where none came. */
  answer: JsonObject | null;
}

/** Reads the campaigns or the task back where the change is known. Of any other call only the service itself can say what it did. */
export async function readBackToolCall(
  { reader, remote, answer }: ReadingBack,
  proposal: StoredProposal,
  formats: Formats,
): Promise<ReadBack> {
  const parts = toolCallParts(proposal);
  const known = knownChange(parts);
  const change = taskChange(parts, parts.task);
  if (change !== null && parts.task !== null) return readBackTask(remote, change, parts.task, formats);
  if (known === null)
    return answer === null ? looked(await operationStatus(remote, parts)) : asAnswered(answer);
  const compared = comparableChange(proposal, parts);
  return parts.subject.kind === 'update'
    ? readBackUpdate(reader, compared, formats)
    : readBackStatus(reader, compared);
}

/** The service's word in its answer, which no read of ours proves. */
function asAnswered(answer: JsonObject): ReadBack {
  const isAsSent = !fallsShort.includes(commitStatus(answer) ?? '');
  return { isAsSent, evidence: isAsSent ? 'none' : 'other', verdicts: [] };
}

/** The service's word when it is asked how the call ended. No answer proves nothing. */
function looked(status: string | null): ReadBack {
  const evidence = status === 'completed' ? 'payload' : fallsShort.includes(status ?? '') ? 'other' : 'none';
  return { isAsSent: evidence === 'payload', evidence, verdicts: [] };
}

const fallsShort: readonly string[] = ['partial', 'not_stored'];

/**
 * Outcome of a commit without an answer, by its key (`svc_get_operation`); null if the service does not report it.
 */
async function operationStatus(
  remote: ReadingBack['remote'],
  { name, args }: ToolCallParts,
): Promise<string | null> {
  const idempotencyKey = keyIn(args);
  if (name !== commitTool || idempotencyKey === null) return null;
  try {
    const result = await remote.callTool('svc_get_operation', { idempotencyKey });
    return result['isError'] === true ? null : commitStatus(result);
  } catch (failure) {
    if (failure instanceof AppError) return null;
    throw failure;
  }
}

/**
 * Reads the account's tasks back: the new one as it was asked for, or the end of the old one. A list that cannot be read proves
 * nothing.
 */
async function readBackTask(
  remote: Pick<RemoteClient, 'callTool'>,
  change: TaskChange,
  { id }: TaskOfCall,
  formats: Formats,
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
  const verdicts = storedVerdicts(change.task, found, formats);
  const isAsSent = verdicts.every(({ verdict }) => verdict === 'stored');
  return { isAsSent, evidence: isAsSent ? 'payload' : 'other', verdicts };
}

function storedVerdicts(task: ReportTask, found: ScheduledTask, formats: Formats): ReadBack['verdicts'] {
  const { kind, schedule, parameters } = task;
  const [sent, now] = [taskInWords({ kind, schedule, parameters }, formats), taskInWords(found, formats)];
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
