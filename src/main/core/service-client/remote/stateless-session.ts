import { ErrorCode as RpcCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import {
  encodeHeaderText,
  headersOfArguments,
  mcpErrorCodes,
  metaKeys,
  nameIn,
  type ParameterHeader,
  parameterHeadersIn,
  statelessVersion,
} from '#core/platform/mcp-envelope.ts';
import { AppError } from '#shared/errors/index.ts';
import {
  isJsonObject,
  jsonOrNull,
  type JsonObject,
  type JsonValue,
  objectAt,
} from '#shared/lib/json/json-value.ts';
import { sentence } from '#shared/lib/sentence.ts';
import type { HttpAnswer } from '#system/http/answer.ts';
import {
  type CallOptions,
  changedListOf,
  clientInfo,
  type RequestParams,
  type Session,
  type SessionOptions,
  withRequestDeadline,
} from './session.ts';
import { ExactJson, serializeMessage, readMessage } from './rpc-message.ts';
import { listen, readAnswer, requireStream } from './streams.ts';
import { exchange, SessionUnknown, unreadable } from './tool-requests.ts';

/** The service does not speak this revision. */
export class UnsupportedRevisionError extends Error {}

const maxQuestions = 3;

/**
 * Speaks MCP 2026-07-28: without a session, and with the version in every request. Declines every question of the service: a
 * person decides only in Countersign's own window. Fails with `OlderService`, or as the requests do.
 */
export async function beginStatelessSession(options: SessionOptions): Promise<Session> {
  const { pauses, logger, onListChanged, onGap } = options;
  const closing = new AbortController();
  let conceal = (text: string): string => text;
  let lastId = 0;
  const headersByTool = new Map<unknown, readonly ParameterHeader[]>();

  async function post(message: Message, signal: AbortSignal): Promise<HttpAnswer> {
    const { method, params } = message;
    const name = nameIn(method, params);
    const answer = await exchange(options, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': statelessVersion,
        'mcp-method': method,
        ...(name === null ? {} : { 'mcp-name': encodeHeaderText(name) }),
        ...(method === 'tools/call' ? argumentHeaders(params) : {}),
      },
      body: serializeMessage(message),
      ownConnection: params['arguments'] instanceof ExactJson,
      isStateless: true,
      signal,
    });
    conceal = answer.conceal;
    return answer;
  }

  function argumentHeaders({ name, arguments: args }: RequestParams): Record<string, string> {
    const declared = headersByTool.get(name) ?? [];
    if (declared.length === 0) return {};
    const values = args instanceof ExactJson ? jsonOrNull(args.text) : args;
    return isJsonObject(values) ? headersOfArguments(declared, values) : {};
  }

  /** Makes one request and returns its result. Fails with an `McpError` if the service answers with an error. */
  async function ask(
    method: string,
    params: RequestParams,
    { signal, onProgress }: { signal: AbortSignal; onProgress: ((progress: JsonObject) => void) | undefined },
  ): Promise<JsonObject> {
    lastId += 1;
    const id = lastId;
    const message = createMessage(id, method, params, onProgress !== undefined);
    const response = await post(message, signal);
    const answers: JsonObject[] = [];
    const receive = (text: string): void => {
      const received: JsonObject = readMessage(response.conceal(text));
      if (received['id'] === id && !('method' in received)) answers.push(received);
      else if (received['method'] === 'notifications/progress') onProgress?.(objectAt(received, 'params'));
    };
    await readAnswer(response, {
      receive,
      isAnswered: () => answers.length > 0,
      resume: null,
      pauses,
      signal,
    });
    return unwrapResult(answers[0] ?? {});
  }

  /** If the service reports a header mismatch, reads the tool list and repeats the call, because it was not executed. */
  async function askWithHeaders(...[method, params, waiting]: Parameters<typeof ask>): Promise<JsonObject> {
    try {
      return await ask(method, params, waiting);
    } catch (failure) {
      if (method !== 'tools/call' || !isRpcError(failure, mcpErrorCodes.headerMismatch)) throw failure;
      await listTools({ ...waiting, onProgress: undefined });
      return ask(method, params, waiting);
    }
  }

  async function listTools(waiting: Parameters<typeof ask>[2]): Promise<void> {
    for (let cursor: JsonValue | undefined; ;) {
      const page = await ask('tools/list', cursor === undefined ? {} : { cursor }, waiting);
      registerTools(page);
      cursor = page['nextCursor'];
      if (typeof cursor !== 'string') return;
    }
  }

  /** Stores the headers of the listed tools. Returns the page without tools whose headers must not be sent. */
  function registerTools(page: JsonObject): JsonObject {
    const { tools } = page;
    if (!Array.isArray(tools)) return page;
    const offered = tools.filter((tool) => {
      if (!isJsonObject(tool)) return true;
      const { headers, areAllowed } = parameterHeadersIn(tool['inputSchema']);
      headersByTool.delete(tool['name']);
      if (areAllowed && headers.length > 0) headersByTool.set(tool['name'], headers);
      return areAllowed;
    });
    return { ...page, tools: offered };
  }

  async function askUntilComplete(...[method, params, waiting]: Parameters<typeof ask>): Promise<JsonObject> {
    let result = await askWithHeaders(method, params, waiting);
    for (let questions = 0; result['resultType'] === 'input_required'; questions += 1) {
      // An approved write is sent only once, and the service may have changed something before it asked.
      if (params['arguments'] instanceof ExactJson) throw unreadable(sentence`It is a question.`);
      if (questions === maxQuestions) throw unansweredQuestion();
      result = await askWithHeaders(method, { ...params, ...declineQuestions(result) }, waiting);
    }
    const { resultType = 'complete' } = result;
    if (resultType !== 'complete') throw unreadable(sentence`It is of an unknown type.`);
    return method === 'tools/list' ? registerTools(result) : result;
  }

  const request = (method: string, params: RequestParams, callOptions: CallOptions): Promise<JsonObject> => {
    const { signal, onProgress, timeoutMs = options.timeoutMs } = callOptions;
    const hasEnded = (): boolean => closing.signal.aborted;
    const timedRequest = {
      method,
      clock: pauses.clock,
      timeoutMs,
      signal,
      closing: closing.signal,
      hasEnded,
      conceal: (text: string) => conceal(text),
    };
    return withRequestDeadline(timedRequest, async (deadline) => {
      const reportProgress = (progress: JsonObject): void => {
        deadline.renew();
        onProgress?.(readProgress(progress));
      };
      const waiting = {
        signal: deadline.signal,
        onProgress: onProgress === undefined ? undefined : reportProgress,
      };
      try {
        return withoutEnvelope(await askUntilComplete(method, params, waiting));
      } catch (failure) {
        if (method === 'resources/read' && isRpcError(failure, RpcCode.InvalidParams))
          throw unknownResource(failure);
        if (!isRpcError(failure, mcpErrorCodes.unsupportedVersion)) throw failure;
        if (method !== discover)
          throw new SessionUnknown(new AppError('protocol_failed', { cause: failure }));
        if (!isVersionOffered(failure)) throw failure;
        return withoutEnvelope(await askUntilComplete(method, params, waiting));
      }
    });
  };

  const capabilities = await discoverCapabilities(request, options.signal);
  if (
    Object.values(capabilities).some(
      (capability) => objectAt({ capability }, 'capability')['listChanged'] === true,
    )
  ) {
    void listen({
      open: async () => {
        const message = createMessage(
          'changes',
          'subscriptions/listen',
          { notifications: wantedChanges },
          false,
        );
        const response = await post(message, closing.signal).catch((failure: unknown) => {
          throw failure instanceof McpError ? new AppError('protocol_failed', { cause: failure }) : failure;
        });
        return requireStream(response);
      },
      receive(text) {
        const list = changedListOf(readMessage(conceal(text))['method']);
        if (list !== null) onListChanged(list);
      },
      onGap,
      pauses,
      logger,
      signal: closing.signal,
    });
  }
  return {
    protocolVersion: statelessVersion,
    offers: (what) => capabilities[what] !== undefined,
    request,
    async end() {
      closing.abort();
    },
  };
}

interface Message {
  jsonrpc: '2.0';
  id: number | string;
  method: string;
  params: RequestParams;
}

const discover = 'server/discover';

const wantedChanges = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

function createMessage(
  id: number | string,
  method: string,
  params: RequestParams,
  wantsProgress: boolean,
): Message {
  const _meta = {
    [metaKeys.version]: statelessVersion,
    [metaKeys.clientInfo]: clientInfo,
    [metaKeys.capabilities]: {},
    ...(wantsProgress ? { progressToken: id } : {}),
  };
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta } };
}

function unwrapResult({ result, error }: JsonObject): JsonObject {
  if (isJsonObject(result)) return result;
  const { code, message, data } = objectAt({ error: error ?? null }, 'error');
  throw new McpError(Number(code), typeof message === 'string' ? message : '', data);
}

/** The failure for an unknown resource, for which this revision has no code (MCP 2026-07-28, Resources, Error Handling). */
function unknownResource(cause: unknown): AppError {
  return new AppError('object_not_found', { cause });
}

function isRpcError(failure: unknown, code: number): failure is McpError {
  return failure instanceof McpError && failure.code === code;
}

/** Failures of `server/discover` at a service of an older revision. */
const olderFailures = new Set([
  'protocol_failed',
  'tool_refused',
  'object_not_found',
  'service_answer_unreadable',
]);

async function discoverCapabilities(request: Session['request'], signal: AbortSignal): Promise<JsonObject> {
  try {
    const found = await request(discover, {}, { signal });
    const { supportedVersions } = found;
    if (Array.isArray(supportedVersions) && supportedVersions.includes(statelessVersion)) {
      return objectAt(found, 'capabilities');
    }
  } catch (failure) {
    if (!(failure instanceof AppError) || !olderFailures.has(failure.code)) throw failure;
  }
  throw new UnsupportedRevisionError();
}

/** True if the version error lists our version as supported, so that a repeat may help. */
function isVersionOffered({ data }: McpError): boolean {
  const { supported } = (data ?? {}) as { supported?: unknown };
  return Array.isArray(supported) && supported.includes(statelessVersion);
}

/** Declines every elicitation of the service. Fails for any other kind of question. */
function declineQuestions({ inputRequests, requestState }: JsonObject): JsonObject {
  const questions = Object.entries(objectAt({ questions: inputRequests ?? null }, 'questions'));
  if (
    !questions.every(([, question]) => objectAt({ question }, 'question')['method'] === 'elicitation/create')
  ) {
    throw unansweredQuestion();
  }
  return {
    inputResponses: Object.fromEntries(questions.map(([name]) => [name, { action: 'decline' }])),
    ...(requestState === undefined ? {} : { requestState }),
  };
}

function unansweredQuestion(): AppError {
  return new AppError('tool_refused', {
    message: sentence`The service asked a question in place of an answer. Countersign answers none.`,
  });
}

function readProgress({
  progress,
  total,
  message,
}: JsonObject): Parameters<NonNullable<CallOptions['onProgress']>>[0] {
  return {
    progress: Number(progress),
    total: typeof total === 'number' ? total : null,
    message: typeof message === 'string' ? message : null,
  };
}

/** Removes the result members that only this revision has. */
function withoutEnvelope({
  resultType: _type,
  ttlMs: _ttl,
  cacheScope: _scope,
  ...result
}: JsonObject): JsonObject {
  if (!isJsonObject(result['_meta'])) return result;
  const { [metaKeys.serverInfo]: _server, ...others } = result['_meta'];
  const { _meta, ...rest } = result;
  return Object.keys(others).length === 0 ? rest : { ...rest, _meta: others };
}
