import { z } from 'zod';
import type { StoredProposal } from '#core/store/app/index.ts';
import { pictureKinds, pictureTypes } from '#shared/campaign/index.ts';
import { AppError, parseStrictJson } from '#shared/errors/index.ts';
import { readStoredText } from '#core/platform/stored-text.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import type { CallEffect } from '#shared/wording/index.ts';

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
export const uploadOfCallSchema = z.object({
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
const uploadForSchema = z.object({ cid: z.int(), name: z.string(), picture: z.json() });

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
  preparation: z.object({ tool: z.string(), args: z.custom<JsonObject>(isJsonObject) }).nullable(),
  /** Fields that the service set to another value when it prepared the same call once more; their labels. */
  preparedDifferently: z.array(z.string()),
  subject: subjectSchema,
  /** Arguments that the tool's pinned definition does not name: what they do is not known. */
  undeclared: z.array(z.string()),
  /** Fields that move by themselves: the read before sending does not compare them. */
  notCompared: z.array(z.string()),
  /** The task that a commit of the app's own is about; null for any call of an agent. */
  task: taskOfCallSchema.nullable(),
  /** The picture that an upload of the app's own publishes; absent for any other call. */
  upload: uploadOfCallSchema.optional(),
  /** Its campaign; absent where it is chosen for none. */
  uploadFor: uploadForSchema.optional(),
});

const payloadSchema = z.object({ name: z.string(), arguments: z.custom<JsonObject>(isJsonObject) });

export type Subject = z.infer<typeof subjectSchema>;
export type ToolCallBase = z.infer<typeof baseSchema>;

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

export function baseText({ upload, uploadFor, ...base }: ToolCallBase): string {
  return canonicalJson({ ...base, ...(upload && { upload }), ...(uploadFor && { uploadFor }) });
}

export function payloadText(name: string, args: JsonObject): string {
  return canonicalJson({ name, arguments: args });
}

export function readStoredCall({ payload, base }: Pick<StoredProposal, 'payload' | 'base'>): {
  call: Pick<ToolCallParts, 'name' | 'args'>;
  stored: ToolCallBase;
} {
  const { name, arguments: args } = readStoredText(payloadSchema, payload);
  return { call: { name, args }, stored: readStoredText(baseSchema, base) };
}

/** The campaign for which this proposal uploads a picture; null where it is for none, or where its texts are not kept any more. */
export function uploadForIn({ prunedAtMs, payload, base }: StoredProposal): UploadFor | null {
  return prunedAtMs === null ? (readStoredCall({ payload, base }).stored.uploadFor ?? null) : null;
}

/** Address of a picture that is only on this computer yet: the core answers it from its own store, by the hash. */
export function uploadAddress(sha256: string): string {
  return `upload:${sha256}`;
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

export function answerIn(text: string): JsonObject {
  const answer = parseStrictJson(text);
  if (!isJsonObject(answer)) throw new Error('The result of a call is an object');
  return answer;
}
