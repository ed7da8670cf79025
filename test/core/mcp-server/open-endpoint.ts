import {
  createMcpServer,
  type CallContext,
  type McpServer,
  type McpServerOptions,
  type McpSurface,
  type Principal,
  type ToolDefinition,
} from '#core/mcp-server/index.ts';
import { systemClock } from '#core/platform/clock.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { openLoopbackListener } from '#core/platform/loopback/listener.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { sentence } from '#shared/lib/sentence.ts';

/** The principal of these tests. Its token is `key` or `key/grant`. */
export interface Caller extends Principal {
  key: string;
}

export type TestTool = (
  args: JsonObject,
  context: CallContext,
  caller: Caller,
) => Promise<JsonValue> | JsonValue;

export interface EndpointSetup extends Partial<McpServerOptions<Caller>> {
  tools?: Record<string, TestTool>;
  parts?: Partial<McpSurface<Caller>>;
  /** A free port by default. */
  port?: number;
}

/** An endpoint on a real HTTP listener. */
export interface OpenEndpoint {
  mcp: McpServer;
  url: string;
  /** Sends one request with the usual headers. A header that is null in `headers` is left out. */
  send(options?: SendOptions): Promise<Answer>;
  /** Sends `initialize` and `notifications/initialized`. Returns the id of the session. */
  initialize(options?: {
    token?: string;
    protocolVersion?: string;
    capabilities?: JsonObject;
  }): Promise<string>;
  /** Sends one request of a session, and returns its answer. */
  request(session: string, method: string, params?: JsonObject, options?: SendOptions): Promise<RpcAnswer>;
  dispose(): Promise<void>;
}

export interface SendOptions {
  method?: string;
  token?: string | null;
  session?: string;
  body?: JsonValue;
  /** Sent unchanged, instead of `body`. */
  text?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string | null>;
  signal?: AbortSignal;
}

export interface RpcAnswer {
  jsonrpc: '2.0';
  id: string | number | null;
  result?: Record<string, never>;
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The JSON body, or the last message of the stream. */
  body: RpcAnswer;
  /** The messages of a stream. */
  events: RpcAnswer[];
}

const metadataUrl = 'http://127.0.0.1/.well-known/oauth-protected-resource/mcp';

export async function openEndpoint({
  tools = {},
  parts = {},
  port = 0,
  ...options
}: EndpointSetup = {}): Promise<OpenEndpoint> {
  const mcp = createMcpServer<Caller>({
    info: { name: 'test', title: 'Test', version: '1' },
    instructions: 'Be kind.',
    surface: createTestSurface(tools, parts),
    authenticate: async (request) => callerOf(request.headers.authorization),
    resourceMetadataUrl: metadataUrl,
    clock: systemClock,
    ids: createIds(() => Date.now()),
    logger: silentLogger,
    ...options,
  });
  const listener = await openLoopbackListener({
    port,
    logger: silentLogger,
    handler: mcp.handle,
    limits: { closeGraceMs: 20 },
  });
  const url = `${listener.origin}/mcp`;
  const send = async (sending: SendOptions = {}) => readAnswer(await fetch(url, requestOf(sending)));
  let ids = 0;
  const request: OpenEndpoint['request'] = async (session, method, params = {}, sending = {}) => {
    ids += 1;
    return (await send({ session, body: { jsonrpc: '2.0', id: ids, method, params }, ...sending })).body;
  };
  return {
    mcp,
    url,
    send,
    request,
    async initialize({ token = 'alice', protocolVersion = '2025-11-25', capabilities = {} } = {}) {
      const params = { protocolVersion, capabilities, clientInfo: { name: 'test', version: '1' } };
      const answer = await send({ token, body: { jsonrpc: '2.0', id: 'i', method: 'initialize', params } });
      const session = answer.headers.get('mcp-session-id');
      if (session === null) throw new Error(answer.text);
      await send({ token, session, body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
      return session;
    },
    async dispose() {
      await mcp.dispose();
      await listener.dispose();
    },
  };
}

/** The headers and the body that a client sends. */
export function requestOf(sending: SendOptions): RequestInit {
  const { method = 'POST', token = 'alice', session, body, text, signal } = sending;
  const named: Record<string, string | null> = {
    authorization: token === null ? null : `Bearer ${token}`,
    accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
    'content-type': method === 'POST' ? 'application/json' : null,
    'mcp-session-id': session ?? null,
    ...sending.headers,
  };
  const headers = Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== null);
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
  return {
    method,
    headers,
    ...(sent === undefined ? {} : { body: sent }),
    ...(signal === undefined ? {} : { signal }),
  };
}

async function readAnswer(answer: Response): Promise<Answer> {
  const text = await answer.text();
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const events = isStream ? eventsOf(text) : [];
  const body = isStream ? events.at(-1) : text === '' ? undefined : (JSON.parse(text) as RpcAnswer);
  return { status: answer.status, headers: answer.headers, text, events, body: body as RpcAnswer };
}

/** The messages of a stream's text. */
function eventsOf(text: string): RpcAnswer[] {
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, json = '']) => JSON.parse(json) as RpcAnswer);
}

/** The caller of a token. The token `nobody` is refused as an unknown token. */
function callerOf(authorization: string | undefined): Caller {
  const token = authorization?.replace(/^Bearer /, '');
  if (token === undefined || token === 'nobody') throw new AppError('token_invalid');
  const [key = '', grantId = null] = token.split('/');
  return { key, grantId };
}

/** The definition of a tool that accepts any arguments. */
export function definitionOf(name: string): ToolDefinition {
  return { name, description: `The tool ${name}.`, inputSchema: { type: 'object' } };
}

function createTestSurface(
  tools: Record<string, TestTool>,
  parts: Partial<McpSurface<Caller>>,
): McpSurface<Caller> {
  const known: Record<string, TestTool> = {
    echo: (args) => args,
    who: (_args, _context, caller) => caller.key,
    ...tools,
  };
  return {
    capabilities: { subscribe: true, completions: true, logging: true },
    admit: () => {},
    listTools: () => Object.keys(known).map(definitionOf),
    async callTool(caller, { name, args }, context) {
      const tool = known[name];
      if (tool === undefined)
        throw new AppError('object_not_found', { message: sentence`There is no tool ${name}.` });
      const data = await tool(args, context, caller);
      return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: { data } };
    },
    listResources: () => [{ uri: 'test://one', name: 'one' }],
    listResourceTemplates: () => [{ uriTemplate: 'test://{name}', name: 'any' }],
    async readResource(_caller, uri) {
      if (uri === 'test://none') throw new AppError('object_not_found');
      return [{ uri, mimeType: 'text/plain', text: 'One.' }];
    },
    listPrompts: () => [{ name: 'greet', arguments: [{ name: 'who', required: true }] }],
    async getPrompt(_caller, { name, args }) {
      if (name !== 'greet') throw new AppError('object_not_found');
      return { messages: [{ role: 'user', content: { type: 'text', text: `Hello ${args['who']}` } }] };
    },
    complete: async () => ({ completion: { values: ['one'] } }),
    ...parts,
  };
}
