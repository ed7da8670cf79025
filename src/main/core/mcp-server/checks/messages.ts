import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { parseJsonBody, readBody } from '#core/platform/loopback/requests.ts';
import { AppError } from '#shared/errors/index.ts';
import { callerOf, type Check } from '../exchange.ts';
import { readMessage } from '../message.ts';
import { type Sentence, sentence } from '#shared/lib/sentence.ts';

/** The whole body. Fails with `payload_too_large`, or `bad_request` when the sender goes away. */
export const readMessageBody: Check = async (exchange, { limits }) => {
  exchange.body = await readBody(exchange.request, limits.maxBodyBytes);
};

/** The body as strict JSON: nothing that two readers could read in two ways. Fails with a `json_…` code. */
export const parseMessageBody: Check = (exchange) => {
  exchange.value = parseJsonBody(exchange.body);
};

/** One JSON-RPC message, or a batch of some. Fails with `bad_input`. */
export const readMessages: Check = (exchange, { limits }) => {
  const { value } = exchange;
  exchange.isBatch = Array.isArray(value);
  const values = Array.isArray(value) ? value : [value];
  if (values.length === 0 || values.length > limits.maxBatch) {
    throw new AppError('bad_input', { message: sentence`A batch has 1 to ${limits.maxBatch} messages.` });
  }
  exchange.messages = values.map(readMessage);
};

/** A session begins with one `initialize`, alone, and has no other (MCP, Lifecycle). Fails with `bad_request` or `bad_input`. */
export const checkSessionFits: Check = ({ session, messages, isBatch }) => {
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
};

function refusal(message: Sentence): AppError {
  return new AppError('bad_request', { message });
}

/** Batches were part of the protocol until 2025-03-26; later sessions have none. Fails with `bad_input`. */
export const checkBatch: Check = ({ isBatch, session }) => {
  if (!isBatch || session === null || session.protocolVersion <= lastVersionWithBatches) return;
  throw new AppError('bad_input', { message: 'This version of the protocol has no batches.' });
};

const lastVersionWithBatches = '2025-03-26';

/** An id names one running request: a second one would get the first one's answer. Fails with `bad_input`. */
export const checkRequestIds: Check = ({ messages, session }) => {
  const ids = new Set<unknown>();
  for (const message of messages) {
    if (message.kind !== 'request') continue;
    if (ids.has(message.id) || session?.isRunning(message.id) === true) {
      throw new AppError('bad_input', { message: 'A request with this id is still running.' });
    }
    ids.add(message.id);
  }
};

/** A session runs so many requests at once. Fails with `quota_exceeded`. */
export const checkRunningCalls: Check = ({ messages, session }, { limits }) => {
  const more = messages.filter(({ kind }) => kind === 'request').length;
  if (more === 0 || session === null || session.running + more <= limits.maxCallsPerSession) return;
  throw new AppError('quota_exceeded', {
    message: sentence`A session runs at most ${limits.maxCallsPerSession} requests at once.`,
    data: { retryAfterSeconds: 1 },
  });
};

/** Lets the surface check the scopes and quotas of each request. Fails as `McpSurface.admit`. */
export const checkAdmitted: Check = (exchange, { options }) => {
  const principal = callerOf(exchange);
  for (const message of exchange.messages) {
    if (message.kind !== 'request') continue;
    options.surface.admit(principal, { method: message.method, params: message.params });
  }
};
