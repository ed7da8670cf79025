import { z } from 'zod';
import type { StoredProposal } from '#core/store/app/index.ts';
import { pictureKinds, pictureTypes } from '#shared/campaign/index.ts';
import { AppError, parseStrictJson } from '#shared/errors/index.ts';
import { readStoredText } from '#core/platform/stored-text.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import type { EffectCertainty } from '#shared/wording/index.ts';

const taskOfCallSchema = z.object({
  id: z.string(),
  act: z.enum(['create', 'cancel', 'due']),
  dueTimes: z.array(z.string()),
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

const uploadForSchema = z.object({ cid: z.int(), name: z.string(), picture: z.json() });

export type UploadFor = z.infer<typeof uploadForSchema>;

const read = z.custom<JsonObject>(isJsonObject);

/** The known effect of a call. `read` is the raw state that the person sees. */
const subjectSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('update'), read }),
  z.object({ kind: z.literal('status'), read }),
  z.object({ kind: z.literal('campaign'), read }),
  z.object({ kind: z.literal('arguments') }),
]);

const baseSchema = z.object({
  tool: z.object({ name: z.string(), title: z.string().nullable(), definitionHash: z.string() }),
  approvalEndsAtMs: z.number().nullable(),
  preparation: z.object({ tool: z.string(), args: z.custom<JsonObject>(isJsonObject) }).nullable(),
  preparedDifferently: z.array(z.string()),
  subject: subjectSchema,
  undeclared: z.array(z.string()),
  notCompared: z.array(z.string()),
  task: taskOfCallSchema.nullable(),
  upload: uploadOfCallSchema.optional(),
  uploadFor: uploadForSchema.optional(),
});

const payloadSchema = z.object({ name: z.string(), arguments: z.custom<JsonObject>(isJsonObject) });

export type Subject = z.infer<typeof subjectSchema>;
export type ToolCallBase = z.infer<typeof baseSchema>;

export interface ToolCallParts extends ToolCallBase {
  name: string;
  args: JsonObject;
  /** Every decision about the effect uses this value, never the description. */
  effect: EffectCertainty;
  isUnseen: boolean;
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

/** Null if the proposal uploads for no campaign, or was pruned. */
export function uploadForIn({ prunedAtMs, payload, base }: StoredProposal): UploadFor | null {
  return prunedAtMs === null ? (readStoredCall({ payload, base }).stored.uploadFor ?? null) : null;
}

/** Address of a picture that is not uploaded yet. The core serves it by its hash. */
export function uploadAddress(sha256: string): string {
  return `upload:${sha256}`;
}

const marginMs = 30_000;

export function usableUntilMs(approvalEndsAtMs: number): number {
  return approvalEndsAtMs - marginMs;
}

/** When the service's approval ends. Null without an approval, and for the app's own commits, which expire with it. */
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

/** Fails with `approval_ended` unless the service's approval leaves enough time to send. */
export function assertApprovalLives(proposal: StoredProposal, nowMs: number): void {
  if (hasApprovalEnded(proposal, nowMs)) throw new AppError('approval_ended');
}

export function hasApprovalEnded(proposal: StoredProposal, nowMs: number): boolean {
  const endsAtMs = approvalEndOf(proposal);
  return endsAtMs !== null && nowMs >= endsAtMs;
}

export function answerIn(text: string): JsonObject {
  const answer = parseStrictJson(text);
  if (!isJsonObject(answer)) throw new Error('The result of a call is an object');
  return answer;
}
