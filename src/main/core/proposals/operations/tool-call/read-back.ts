import type { CampaignReader, RemoteClient } from '#core/service-client/index.ts';
import type { StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { ReadBack } from '../operation.ts';
import { readBackStatus } from '../status/index.ts';
import { readBackUpdate } from '../update/index.ts';
import { commitStatus } from './answers.ts';
import { comparableChange, knownChange, toolCallParts, type ToolCallParts } from './base.ts';
import { commitTool, keyIn } from './call-arguments.ts';
import { readBackTask, taskChange } from './task.ts';

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
  if (known === null) return answer === null ? looked(await operationStatus(remote, parts)) : told(answer);
  const compared = comparableChange(proposal, parts);
  return parts.subject.kind === 'update'
    ? readBackUpdate(reader, compared)
    : readBackStatus(reader, compared);
}

/** What the service said with its answer. Nothing of ours proves it. */
function told(answer: JsonObject): ReadBack {
  const isAsSent = !fallsShort.includes(commitStatus(answer) ?? '');
  return { isAsSent, evidence: isAsSent ? 'none' : 'other', verdicts: [] };
}

/** What the service says when it is asked how the call ended. Silence proves nothing. */
function looked(status: string | null): ReadBack {
  const evidence = status === 'completed' ? 'payload' : fallsShort.includes(status ?? '') ? 'other' : 'none';
  return { isAsSent: evidence === 'payload', evidence, verdicts: [] };
}

const fallsShort: readonly string[] = ['partial', 'not_stored'];

/** How a commit without an answer ended, by its key (`svc_get_operation`); null where the service does not say. */
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
