import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '#shared/errors/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { type Message, readMessage } from '../message.ts';
import type { Session } from '../session/session.ts';
import type { McpLimits, McpSurface, Principal } from '../surface.ts';
import { type Sentence, sentence } from '#shared/lib/sentence.ts';

/** The messages of one POST, and what it names. */
export interface Post<P extends Principal> {
  principal: P;
  /** The session that the request names; null if it names none. */
  session: Session<P> | null;
  /** One message, or those of a batch in their order. */
  messages: readonly Message[];
  isBatch: boolean;
}

/** One JSON-RPC message, or a batch of some. Fails with `bad_input`. */
export function readMessages(value: JsonValue, { maxBatch }: McpLimits): readonly Message[] {
  const values = Array.isArray(value) ? value : [value];
  if (values.length === 0 || values.length > maxBatch) {
    throw new AppError('bad_input', { message: sentence`A batch has 1 to ${maxBatch} messages.` });
  }
  return values.map(readMessage);
}

/** A session begins with one `initialize`, alone, and has no other (MCP, Lifecycle). Fails with `bad_request` or `bad_input`. */
export function checkSessionFits<P extends Principal>({ session, messages, isBatch }: Post<P>): void {
  const initialize = messages.find(
    (message) => message.kind === 'request' && message.method === 'initialize',
  );
  if (session !== null) {
    if (initialize !== undefined) throw refusal(sentence`This session is initialized already.`);
    return;
  }
  if (initialize === undefined)
    throw refusal(sentence`The header Mcp-Session-Id is missing. Initialize first.`);
  if (isBatch) throw refusal(sentence`\`initialize\` comes alone.`);
  if (!isInitializeRequest(initialize.raw)) {
    throw new AppError('bad_input', { message: 'The params of `initialize` are not in the expected form.' });
  }
}

function refusal(message: Sentence): AppError {
  return new AppError('bad_request', { message });
}

/** Batches were part of the protocol until 2025-03-26; later sessions have none. Fails with `bad_input`. */
export function checkBatch<P extends Principal>({ isBatch, session }: Post<P>): void {
  if (!isBatch || session === null || session.protocolVersion <= lastVersionWithBatches) return;
  throw new AppError('bad_input', { message: 'This version of the protocol has no batches.' });
}

const lastVersionWithBatches = '2025-03-26';

/** An id names one running request: a second one would get the first one's answer. Fails with `bad_input`. */
export function checkRequestIds<P extends Principal>({ messages, session }: Post<P>): void {
  const ids = new Set<unknown>();
  for (const message of messages) {
    if (message.kind !== 'request') continue;
    if (ids.has(message.id) || session?.isRunning(message.id) === true) {
      throw new AppError('bad_input', { message: 'A request with this id is still running.' });
    }
    ids.add(message.id);
  }
}

/** A session runs so many requests at once. Fails with `quota_exceeded`. */
export function checkRunningCalls<P extends Principal>(
  { messages, session }: Post<P>,
  { maxCallsPerSession }: McpLimits,
): void {
  const more = messages.filter(({ kind }) => kind === 'request').length;
  if (more === 0 || session === null || session.running + more <= maxCallsPerSession) return;
  throw new AppError('quota_exceeded', {
    message: sentence`A session runs at most ${maxCallsPerSession} requests at once.`,
    data: { retryAfterSeconds: 1 },
  });
}

/** Lets the surface check the scopes and quotas of each request. Fails as `McpSurface.admit`. */
export function checkAdmitted<P extends Principal>(
  { principal, messages }: Post<P>,
  surface: McpSurface<P>,
): void {
  for (const message of messages) {
    if (message.kind !== 'request') continue;
    surface.admit(principal, { method: message.method, params: message.params });
  }
}
