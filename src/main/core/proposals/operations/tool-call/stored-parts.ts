import { z } from 'zod';
import type { StoredProposal } from '#core/store/app/index.ts';
import type { CreativePicture } from '#shared/app-api/index.ts';
import type { CallEffect, TaskChange } from '#shared/wording/index.ts';
import { pictureKinds, pictureTypes, fieldLabel } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { readStoredText } from '../load-proposal.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { cancelTaskPayloadSchema, reportTaskPayloadSchema } from '#shared/contract/index.ts';
import {
  commitTool,
  isCommitMember,
  type Call,
  campaignIn,
  cidsIn,
  namedCampaigns,
  statesItsChange,
  statusMoveIn,
} from './call-arguments.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import { statusParts } from '../status-change/stored-parts.ts';

/** The scheduled task that a commit of the app's own is about (contract §4.3). */
const taskOfCallSchema = z.object({
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

/** The picture that an upload of the app's own publishes, by its own bytes. */
const uploadOfCallSchema = z.object({
  kind: z.enum(pictureKinds),
  fileName: z.string(),
  contentType: z.enum(pictureTypes),
  bytes: z.int(),
  width: z.int(),
  height: z.int(),
  sha256: z.string(),
});

export type UploadOfCall = z.infer<typeof uploadOfCallSchema>;

/** The campaign for which a picture is uploaded, and the value of the field that it is for, as it was read when the picture was chosen. */
const uploadForSchema = z.object({ cid: z.int(), name: z.string(), picture: z.json().default(null) });

export type UploadFor = z.infer<typeof uploadForSchema>;

const read = z.custom<JsonObject>(isJsonObject);

/** Knowledge about the effect of a call. `read` is the state that the person sees, raw. */
const subjectSchema = z.discriminatedUnion('kind', [
  /** The arguments carry the complete campaign: `read` is what the service gave for it. */
  z.object({ kind: z.literal('update'), read }),
  /** The arguments are a change of status: `read` is the base of such a change. */
  z.object({ kind: z.literal('status'), read }),
  /** One campaign is named, and what happens to it is not known. */
  z.object({ kind: z.literal('campaign'), read }),
  z.object({ kind: z.literal('arguments') }),
]);

const baseSchema = z.object({
  tool: z.object({ name: z.string(), title: z.string().nullable(), definitionHash: z.string() }),
  /** When the service's approval of what it prepared ends; null where nothing was prepared. */
  approvalEndsAtMs: z.number().nullable(),
  /** The call by which it was prepared; null where it was not seen, or is too long to keep. */
  preparation: z
    .object({ tool: z.string(), args: z.custom<JsonObject>(isJsonObject) })
    .nullable()
    .default(null),
  /** Fields that the service set to another value when it prepared the same call once more; their labels. */
  preparedDifferently: z.array(z.string()).default([]),
  subject: subjectSchema,
  /** Arguments that the tool's pinned definition does not name: what they do is not known. */
  undeclared: z.array(z.string()).default([]),
  /** Fields that move by themselves: the read before sending does not compare them. */
  notCompared: z.array(z.string()).default([]),
  /** The task that a commit of the app's own is about; null for any call of an agent. */
  task: taskOfCallSchema.nullable().default(null),
  /** The picture that an upload of the app's own publishes; absent for any other call. */
  upload: uploadOfCallSchema.optional(),
  /** Its campaign; absent where it is chosen for none. */
  uploadFor: uploadForSchema.optional(),
});

const payloadSchema = z.object({ name: z.string(), arguments: z.custom<JsonObject>(isJsonObject) });

export type Subject = z.infer<typeof subjectSchema>;
export type ToolCallBase = z.infer<typeof baseSchema>;

/** A tool call taken apart. */
export interface ToolCallParts extends ToolCallBase {
  name: string;
  args: JsonObject;
  /** Certainty of the effect. Every decision about it uses this value, never words. */
  effect: CallEffect;
  /** A commit, or any call with an approval of the service, of which Countersign did not see the preparing. */
  isUnseen: boolean;
  /** Campaigns that stand beside the payload of a commit and are not those of its change. */
  others: number[];
}

/** The canonical text that is stored as the base. */
export function baseText({ upload, uploadFor, ...base }: ToolCallBase): string {
  return canonicalJson({ ...base, ...(upload && { upload }), ...(uploadFor && { uploadFor }) });
}

/** The canonical text that is stored as the payload. */
export function payloadText(name: string, args: JsonObject): string {
  return canonicalJson({ name, arguments: args });
}

/** The stored texts of a call, parsed. */
export function readStoredCall({ payload, base }: Pick<StoredProposal, 'payload' | 'base'>): {
  call: Pick<ToolCallParts, 'name' | 'args'>;
  stored: ToolCallBase;
} {
  const { name, arguments: args } = readStoredText(payloadSchema, payload);
  return { call: { name, args }, stored: readStoredText(baseSchema, base) };
}

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

const members = Object.keys(uploadOfCallSchema.shape) as (keyof UploadOfCall)[];

/** True if the exact arguments publish this picture and do nothing else. */
export function isUploadOf(
  { name, args }: Call,
  upload: UploadOfCall | null | undefined,
): upload is UploadOfCall {
  const { payload } = args;
  if (upload == null || name !== commitTool || !Object.keys(args).every(isCommitMember)) return false;
  return (
    isJsonObject(payload) &&
    Object.keys(payload).length === members.length &&
    members.every((member) => payload[member] === upload[member])
  );
}

/** The campaign for which this proposal uploads a picture; null where it is for none, or where its texts are not kept any more. */
export function uploadForIn({ prunedAtMs, payload, base }: StoredProposal): UploadFor | null {
  return prunedAtMs === null ? (readStoredCall({ payload, base }).stored.uploadFor ?? null) : null;
}

/** Address of a picture that is only on this computer yet: the core answers it from its own store, by the hash. */
export function uploadAddress(sha256: string): string {
  return `upload:${sha256}`;
}

/** The picture of an upload, for the one who decides. */
export function uploadPicture({ kind, fileName, sha256 }: UploadOfCall): CreativePicture {
  return {
    field: kind,
    label: fieldLabel(kind),
    side: 'new',
    url: uploadAddress(sha256),
    host: fileName,
    isOwn: true,
  };
}

/** The known change as {@link knownChange} has it, compared without the fields that move by themselves. */
export function comparableChange(proposal: StoredProposal, parts: ToolCallParts): StoredProposal {
  const { notCompared: volatile } = parts;
  return {
    ...proposal,
    ...knownChange(parts),
    rebase: volatile.length === 0 ? null : { of: proposal.id, round: 0, moved: [], volatile },
  };
}

/** Reads the stored texts back. */
export function toolCallParts(proposal: Pick<StoredProposal, 'payload' | 'base'>): ToolCallParts {
  const { call, stored } = readStoredCall(proposal);
  const subject = subjectOf(call, stored.subject);
  const isOfPrepared = call.name === commitTool || Object.hasOwn(call.args, 'approvalId');
  return {
    ...stored,
    ...call,
    subject,
    effect: effectOf(call, { ...stored, subject }),
    isUnseen: isOfPrepared && stored.approvalEndsAtMs === null,
    others: othersOf(call, subject),
  };
}

/** A service may take the id beside a payload for the one that counts, as the path does in a full update (contract §4.1, rule 2). */
function othersOf(call: Call, { kind }: Subject): number[] {
  if (call.name !== commitTool || (kind !== 'update' && kind !== 'status')) return [];
  const changed = kind === 'update' ? [Number(campaignIn(call)?.['cid'])] : (statusMoveIn(call)?.cids ?? []);
  const { payload: _change, ...beside } = call.args;
  return [...namedCampaigns(beside)].filter((cid) => !changed.includes(cid));
}

/** Calls that an earlier version stored may have a change in a place that does not state one any more. */
function subjectOf(call: Call, subject: Subject): Subject {
  if (subject.kind === 'update' && campaignIn(call) === null) return { kind: 'campaign', read: subject.read };
  if (subject.kind === 'status' && statusMoveIn(call) === null) return { kind: 'arguments' };
  return subject;
}

/**
 * Returns the certainty of a call's effect. Only a commit states its change by the contract, of a task, a picture or a
 * campaign; a change read from other arguments is assumed.
 */
function effectOf(
  call: Call,
  { subject, undeclared, task, upload }: Pick<ToolCallBase, 'subject' | 'undeclared' | 'task' | 'upload'>,
): CallEffect {
  const isOwn = taskChange(call, task) !== null || isUploadOf(call, upload);
  if (undeclared.length === 0 && isOwn) return 'stated';
  switch (subject.kind) {
    case 'update':
    case 'status':
      return undeclared.length === 0 && statesItsChange(call) ? 'stated' : 'assumed';
    case 'campaign':
      return 'named';
    case 'arguments':
      return cidsIn(call.args).length === 0 ? 'unknown' : 'named';
    default:
      return assertNever(subject);
  }
}

/** The known change as an operation of the app's own would store it; null where the change is not known. */
export function knownChange({
  name,
  args,
  subject,
}: ToolCallParts): Pick<StoredProposal, 'payload' | 'base'> | null {
  const call = { name, args };
  switch (subject.kind) {
    case 'update':
      return { payload: canonicalJson(campaignIn(call) ?? {}), base: canonicalJson(subject.read) };
    case 'status':
      return statusChange(call, canonicalJson(subject.read));
    default:
      return null;
  }
}

/** Campaigns that have the status already are listed, and nothing is read back of them. */
function statusChange(call: Call, base: string): Pick<StoredProposal, 'payload' | 'base'> {
  const { cids, status } = statusMoveIn(call) ?? { cids: [], status: 0 };
  const { targets } = statusParts({ payload: canonicalJson({ ids: cids, status }), base });
  const ids = targets.filter(({ row }) => row.status !== status).map(({ cid }) => cid);
  return { payload: canonicalJson({ ids, status }), base };
}

/** Margin before the end of the service's approval, in milliseconds: sending needs time as well. */
const marginMs = 30_000;

/** The moment from which the service's approval leaves no time to send. */
export function usableUntilMs(approvalEndsAtMs: number): number {
  return approvalEndsAtMs - marginMs;
}

/**
 * The same of a stored proposal; null where it has no approval, or ends with it: a commit of the app's own.
 */
export function approvalEndOf({
  operation,
  payload,
  base,
}: Pick<StoredProposal, 'operation' | 'payload' | 'base'>): number | null {
  if (operation !== 'tool.call' || payload === '') return null;
  const { approvalEndsAtMs, task, upload } = readStoredCall({ payload, base }).stored;
  const isOwn = task !== null || upload !== undefined;
  return approvalEndsAtMs === null || isOwn ? null : usableUntilMs(approvalEndsAtMs);
}

/** Passes while the service's approval of what it prepared leaves time to send it. Fails with `approval_ended`. */
export function assertApprovalLives(proposal: StoredProposal, nowMs: number): void {
  if (hasApprovalEnded(proposal, nowMs)) throw new AppError('approval_ended');
}

/** True for a change that the service would not take any more, unless it is prepared again. */
export function hasApprovalEnded(proposal: StoredProposal, nowMs: number): boolean {
  const endsAtMs = approvalEndOf(proposal);
  return endsAtMs !== null && nowMs >= endsAtMs;
}
