import { type CampaignReader, quotation, type RemoteClient } from '#core/service-client/index.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { AppError, parseStrictJson } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { AnsweredFailure, type Effect, type ReadBack } from '../operation.ts';
import { readBackStatus, statusEffects } from '../status/read-back.ts';
import { readBackUpdate, updateEffects } from '../update/read-back.ts';
import { comparableChange, knownChange, toolCallParts, type ToolCallParts } from './base.ts';
import { commitTool, keyIn } from './call-arguments.ts';
import { readBackTask, taskChange } from './task.ts';

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
  const { statusCode, message } = errorIn(result);
  if (typeof statusCode === 'number' && statusCode >= leastFailing) {
    throw new AnsweredFailure('outcome_unknown', { answer });
  }
  const words = typeof message === 'string' ? message : firstText(result);
  const { message: refused } = new AppError('tool_refused');
  throw new AnsweredFailure('tool_refused', {
    answer,
    message: words === '' ? refused : `${refused} The service says: ${quotation(words)}`,
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

function errorIn(result: JsonObject): JsonObject {
  const content = result['structuredContent'];
  const error = isJsonObject(content) ? content['error'] : undefined;
  return isJsonObject(error) ? error : {};
}

function firstText(result: JsonObject): string {
  const content = result['content'];
  const [first] = Array.isArray(content) ? content : [];
  const text = isJsonObject(first) ? first['text'] : undefined;
  return typeof text === 'string' ? text : '';
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
): Promise<ReadBack> {
  const parts = toolCallParts(proposal);
  const known = knownChange(parts);
  const change = taskChange(parts, parts.task);
  if (change !== null && parts.task !== null) return readBackTask(remote, change, parts.task);
  if (known === null)
    return answer === null ? looked(await operationStatus(remote, parts)) : asAnswered(answer);
  const compared = comparableChange(proposal, parts);
  return parts.subject.kind === 'update'
    ? readBackUpdate(reader, compared)
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

/** Effects of a call whose change is known and was read back; none of any other. */
export function toolCallEffects(proposal: StoredProposal): Effect[] {
  const parts = toolCallParts(proposal);
  const known = knownChange(parts);
  if (known === null) return [];
  const change = { ...proposal, ...known };
  return parts.subject.kind === 'update' ? updateEffects(change) : statusEffects(change);
}
