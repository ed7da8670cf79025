import { z } from 'zod';
import {
  type CallContext,
  jsonSchemaOf,
  readArguments,
  refusalInFull,
  type ToolDefinition,
  type ToolResult,
} from '#core/mcp-server/index.ts';
import { type Clock, type Moment, momentNow, passedSince } from '#core/platform/clock.ts';
import { type CredentialFinder, credentialInside } from '#core/platform/credentials.ts';
import { AppError } from '#shared/errors/index.ts';
import { atMost } from '#shared/lib/inert-text.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { memberSchema, verdictMember } from '../answers/verdict-schema.ts';
import type { AgentPrincipal } from '../agent-principal.ts';

/** A tool of Countersign itself. A failure of the tool becomes a refusal. */
export interface OwnTool {
  definition: ToolDefinition;
  scopes: readonly string[];
  isOffered?(profileId: string): boolean;
  call(principal: AgentPrincipal, args: JsonObject, context: CallContext): Promise<ToolResult>;
}

interface OwnToolParts<Input extends z.ZodObject> extends Pick<OwnTool, 'scopes' | 'isOffered'> {
  name: string;
  title: string;
  description: string;
  input: Input;
  outputSchema: JsonObject;
  run(
    principal: AgentPrincipal,
    args: z.output<Input>,
    context: CallContext,
  ): Promise<ToolResult> | ToolResult;
}

const failedField = z.strictObject({ field: z.string(), code: z.string(), message: z.string() });

/** A refusal, structured like the service's own (contract §7.3). */
const refusalSchema = z.strictObject({
  code: z.string(),
  message: z.string(),
  next: z.string(),
  statusCode: z.int(),
  errors: z.array(failedField).optional(),
});

/** The output schema of an own tool: the given members, all optional, or a refusal. */
export function answerSchema(members: z.ZodRawShape): JsonObject {
  const status = z.enum(['success', 'error']);
  const answer = z.looseObject({ status, ...members, error: refusalSchema.optional() });
  return jsonSchemaOf(answer, 'output');
}

export function defineOwnTool<Input extends z.ZodObject>(parts: OwnToolParts<Input>): OwnTool {
  const { name, title, description, input, outputSchema, scopes, isOffered, run } = parts;
  const strict = input.strict();
  const annotations = { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true };
  return {
    scopes,
    ...(isOffered && { isOffered }),
    definition: {
      name,
      title,
      description,
      inputSchema: jsonSchemaOf(strict, 'input'),
      outputSchema,
      annotations: { ...annotations, openWorldHint: false },
    },
    async call(principal, args, context) {
      try {
        return await run(principal, readArguments(strict, args) as z.output<Input>, context);
      } catch (failure) {
        throw failure instanceof AppError ? refusalInFull(failure, args) : failure;
      }
    },
  };
}

/** An answer as data and as text. */
export function ownAnswer(data: JsonObject, text: string): ToolResult {
  return { content: [{ type: 'text', text }], structuredContent: { status: 'success', ...data } };
}

/**
 * Agents' notes on their next change, by session. They are in memory, because sessions end with the process. Requests without a
 * session share the note of their agent, since nothing tells its programs apart.
 */
export interface Notes {
  keep(sessionId: string, text: string): void;
  /** Returns the note of this session and removes it. Null if there is none, or if it has expired. */
  take(sessionId: string): string | null;
  forget(sessionId: string): void;
}

const maxSeconds = 240;

/** Waits up to `waitMs` for the outcome of this agent's proposal and returns the answer. Fails with `proposal_not_found`. */
export type WaitForOutcome = (
  agentId: string,
  asked: { context: CallContext; proposalId: string; waitMs: number | null },
) => Promise<ToolResult>;

/** `countersign_await`: returns the outcome of a call of the agent that was answered with a receipt. */
export function createAwaitTool(wait: WaitForOutcome): OwnTool {
  return defineOwnTool({
    name: 'countersign_await',
    title: 'Wait for a person’s decision',
    description:
      'Waits until a person has decided on a change of yours, and gives the answer that the call itself would have given. Changes nothing. Ask again while its verdict is waiting.',
    scopes: ['svc:write'],
    input: z.object({
      proposalId: z.string().min(1).describe('As the waiting call named it.'),
      waitSeconds: z
        .int()
        .min(0)
        .max(maxSeconds)
        .optional()
        .describe('How long to wait at most; 45 without progress, 240 with it.'),
    }),
    // The answer may be that of any tool, whose `status` may have any type.
    outputSchema: { type: 'object', properties: { [verdictMember]: memberSchema } },
    run: ({ agentId }, { proposalId, waitSeconds }, context) =>
      wait(agentId, {
        context,
        proposalId,
        waitMs: waitSeconds === undefined ? null : waitSeconds * 1000,
      }),
  });
}

const maxNoteLength = 1_000;

/** `countersign_note`: stores an agent's own words, which the person sees as a quotation with the agent's next change. */
export function createNoteTool(notes: Pick<Notes, 'keep'>, findCredential: CredentialFinder): OwnTool {
  return defineOwnTool({
    name: 'countersign_note',
    title: 'Say why you want the next change',
    description:
      'Say in your own words why you want the next change; a person reads it beside the change, as a quotation.',
    scopes: ['svc:write'],
    input: z.object({
      text: z
        .string()
        .refine((text) => text.trim() !== '', 'must not be empty')
        .refine(...atMost(maxNoteLength))
        .meta({
          description: 'For example: The bid lost every auction this week.',
          maxLength: maxNoteLength,
        }),
    }),
    outputSchema: answerSchema({}),
    run(_principal, { text }, { sessionId }) {
      const credential = findCredential(text);
      if (credential !== null) throw credentialInside('text', credential);
      notes.keep(sessionId, text);
      return ownAnswer({}, 'A person will read this beside your next change.');
    },
  });
}

/** A call that fails after its session ended puts its note back, so the number of notes needs a limit. The oldest is dropped. */
const maxNotes = 500;

/**
 * A note expires after this time, in milliseconds, because it was hardly meant for a change that comes later. Without a session
 * no other event ends a note.
 */
const noteLifeMs = 30 * 60_000;

export function createNotes(clock: Clock): Notes {
  const notes = new Map<string, { text: string; since: Moment }>();
  return {
    keep(sessionId, text) {
      notes.delete(sessionId);
      notes.set(sessionId, { text, since: momentNow(clock) });
      const [oldest] = notes.keys();
      if (notes.size > maxNotes && oldest !== undefined) notes.delete(oldest);
    },
    take(sessionId) {
      const note = notes.get(sessionId);
      notes.delete(sessionId);
      return note === undefined || passedSince(note.since, clock) > noteLifeMs ? null : note.text;
    },
    forget: (sessionId) => void notes.delete(sessionId),
  };
}
