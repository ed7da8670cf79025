import { z } from 'zod';
import type { StoredProposal } from '#core/store/app/index.ts';
import { parseStrictJson } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import type { Wording } from '../operation.ts';
import { statusParts } from '../status/index.ts';
import { campaignIn, statusMoveIn } from './call-arguments.ts';

const read = z.custom<JsonObject>(isJsonObject);

/** What Countersign knows of the effect of a call. `read` is the state that the person sees, raw. */
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
  subject: subjectSchema,
  /** Fields that move by themselves: the read before sending does not compare them. */
  notCompared: z.array(z.string()).default([]),
});

const payloadSchema = z.object({ name: z.string(), arguments: z.custom<JsonObject>(isJsonObject) });

export type Subject = z.infer<typeof subjectSchema>;
export type ToolCallBase = z.infer<typeof baseSchema>;

/** A tool call taken apart. */
export interface ToolCallParts extends ToolCallBase {
  name: string;
  args: JsonObject;
}

/** The canonical text that is stored as the base. */
export function baseText(base: ToolCallBase): string {
  return canonicalJson(base);
}

/** The canonical text that is stored as the payload. */
export function payloadText(name: string, args: JsonObject): string {
  return canonicalJson({ name, arguments: args });
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
export function toolCallParts({ payload, base }: Pick<Wording, 'payload' | 'base'>): ToolCallParts {
  const { name, arguments: args } = payloadSchema.parse(parseStrictJson(payload));
  return { ...baseSchema.parse(parseStrictJson(base)), name, args };
}

/** The known change as an operation of the app's own would store it; null where the change is not known. */
export function knownChange({ args, subject }: ToolCallParts): Pick<Wording, 'payload' | 'base'> | null {
  switch (subject.kind) {
    case 'update':
      return { payload: canonicalJson(campaignIn(args) ?? {}), base: canonicalJson(subject.read) };
    case 'status':
      return statusChange(args, canonicalJson(subject.read));
    default:
      return null;
  }
}

/** Campaigns that have the status already are listed, and nothing is read back of them. */
function statusChange(args: JsonObject, base: string): Pick<Wording, 'payload' | 'base'> {
  const { cids, status } = statusMoveIn(args) ?? { cids: [], status: 0 };
  const { targets } = statusParts({ payload: canonicalJson({ ids: cids, status }), base });
  const ids = targets.filter(({ row }) => row.status !== status).map(({ cid }) => cid);
  return { payload: canonicalJson({ ids, status }), base };
}
