import { type CredentialFinder, credentialInside } from '#core/platform/credentials.ts';
import { AppError } from '#shared/errors/index.ts';
import { codePointLength } from '#shared/lib/inert-text.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { CallContext, ToolDefinition, ToolResult } from '#core/mcp-server/index.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

/** A tool of Countersign itself. What it fails with is answered as a refusal. */
export interface OwnTool {
  definition: ToolDefinition;
  call(agentId: string, args: JsonObject, context: CallContext): Promise<ToolResult> | ToolResult;
}

/** Notes of agents on the change that they propose next, by session; forgotten with it. In memory: no session outlives the program. */
export interface Notes {
  keep(sessionId: string, text: string): void;
  /** The note of this session, which is not kept any longer; null if there is none. */
  take(sessionId: string): string | null;
  forget(sessionId: string): void;
}

function allowArguments(args: JsonObject, allowed: readonly string[]): void {
  const unknown = Object.keys(args).find((name) => !allowed.includes(name));
  if (unknown !== undefined) throw argumentInvalid(unknown, sentence`There is no such argument.`);
}

function argumentInvalid(field: string, message: Sentence): AppError {
  return new AppError('arguments_invalid', {
    message: sentence`Some arguments are not valid: ${field}. ${ownWords(message)}`,
    fields: [{ field, code: 'invalid', message }],
  });
}

const readOnly = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const longestSeconds = 240;

/** Waits at most `waitMs` for the outcome of this agent's proposal and returns the answer. Fails with `proposal_not_found`. */
export type WaitForOutcome = (
  agentId: string,
  asked: { context: CallContext; proposalId: string; waitMs: number | null },
) => Promise<ToolResult>;

/** `countersign_await`: returns the outcome of one of the agent's own calls that was answered with a receipt. */
export function createAwaitTool(wait: WaitForOutcome): OwnTool {
  return {
    definition: {
      name: 'countersign_await',
      title: 'Wait for a person’s decision',
      description:
        'Waits until a person has decided on a change of yours, and gives the answer that the call itself would have given. Changes nothing. Ask again while it says that a person is still waited for.',
      inputSchema: {
        type: 'object',
        properties: {
          proposalId: { type: 'string', description: 'As the waiting call named it.' },
          waitSeconds: {
            type: 'integer',
            minimum: 0,
            maximum: longestSeconds,
            description: 'How long to wait at most; 45 without progress, 240 with it.',
          },
        },
        required: ['proposalId'],
        additionalProperties: false,
      },
      annotations: { title: 'Wait for a person’s decision', ...readOnly },
    },
    call(agentId, args, context) {
      allowArguments(args, ['proposalId', 'waitSeconds']);
      const { proposalId, waitSeconds } = args;
      if (typeof proposalId !== 'string' || proposalId === '') {
        throw argumentInvalid('proposalId', sentence`It must be the id that the waiting call named.`);
      }
      const waitMs = waitSeconds === undefined ? null : millisecondsOf(waitSeconds);
      return wait(agentId, { context, proposalId, waitMs });
    },
  };
}

function millisecondsOf(seconds: unknown): number {
  const isInteger = typeof seconds === 'number' && Number.isSafeInteger(seconds);
  if (isInteger && seconds >= 0 && seconds <= longestSeconds) return seconds * 1000;
  throw argumentInvalid('waitSeconds', sentence`It must be a whole number from 0 to ${longestSeconds}.`);
}

const longestNote = 1_000;

/** `countersign_note`: an agent's own words, which a person reads as a quotation beside its next change. */
export function createNoteTool(notes: Pick<Notes, 'keep'>, findCredential: CredentialFinder): OwnTool {
  return {
    definition: {
      name: 'countersign_note',
      title: 'Say why you want the next change',
      description:
        'Say in your own words why you want the next change; a person reads it beside the change, as a quotation.',
      inputSchema: {
        type: 'object',
        properties: { text: { type: 'string', minLength: 1, maxLength: longestNote } },
        required: ['text'],
        additionalProperties: false,
      },
      annotations: { title: 'Say why you want the next change', ...readOnly },
    },
    call(_agentId, args, { sessionId }) {
      allowArguments(args, ['text']);
      const { text } = args;
      if (typeof text !== 'string' || text.trim() === '' || codePointLength(text) > longestNote) {
        throw argumentInvalid('text', sentence`It must be a text of at most ${longestNote} characters.`);
      }
      const credential = findCredential(text);
      if (credential !== null) throw credentialInside('text', credential);
      notes.keep(sessionId, text);
      return { content: [{ type: 'text', text: 'A person will read this beside your next change.' }] };
    },
  };
}

/** A call that fails after the end of its session leaves its note; the oldest make room. */
const maxNotes = 500;

export function createNotes(): Notes {
  const notes = new Map<string, string>();
  return {
    keep(sessionId, text) {
      notes.delete(sessionId);
      notes.set(sessionId, text);
      const [oldest] = notes.keys();
      if (notes.size > maxNotes && oldest !== undefined) notes.delete(oldest);
    },
    take(sessionId) {
      const text = notes.get(sessionId) ?? null;
      notes.delete(sessionId);
      return text;
    },
    forget: (sessionId) => void notes.delete(sessionId),
  };
}
