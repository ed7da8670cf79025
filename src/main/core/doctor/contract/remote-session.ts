import type { RemoteAccess } from '#core/service-client/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { JsonRefusal, readStrictJson } from '#shared/lib/json/strict-parse.ts';
import type { Ask } from './ask.ts';
import {
  type CheckedAnswer,
  drift,
  given,
  notChecked,
  once,
  type RemoteReads,
  type RpcAnswer,
} from './check.ts';
import { expectSuccess, jsonOf, objectOf, shown } from './expect.ts';

export interface RemoteSessionOptions {
  ask: Ask;
  mcpUrl: string;
  access: RemoteAccess | null;
  /** Called with every token in use, so that no finding shows one. */
  onToken(token: string): void;
}

/** Any known version is right, because the service negotiates (contract §9). */
const protocolVersion = '2025-06-18';

const bodyHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** One MCP session over plain HTTP (contract §4.3), because an MCP client would hide details of the answers. */
export function createRemoteSession({ ask, mcpUrl, access, onToken }: RemoteSessionOptions): RemoteReads {
  const url = `${mcpUrl}/mcp`;
  let sessionHeaders: Record<string, string> = {};
  let lastId = 0;
  const tokenOf = async (renewed?: string): Promise<string> => {
    if (access === null) throw notChecked`There is no sign-in.`;
    const token = await (renewed === undefined ? access.token() : access.renew(renewed));
    onToken(token);
    return token;
  };
  const post = (
    body: string,
    token: string | null,
    isAnswer?: (data: string) => boolean,
  ): Promise<CheckedAnswer> =>
    ask({
      method: 'POST',
      url,
      headers: { ...bodyHeaders, ...sessionHeaders, ...bearerOf(token) },
      body,
      ...(isAnswer === undefined ? {} : { isAnswer }),
    });
  const send = async (message: JsonObject): Promise<CheckedAnswer> => {
    const body = JSON.stringify(message);
    const isAnswer = (data: string) => idOf(data) === message['id'];
    const token = await tokenOf();
    const answer = await post(body, token, isAnswer);
    return answer.status === 401 ? post(body, await tokenOf(token), isAnswer) : answer;
  };
  const request = async (method: string, params: JsonObject): Promise<CheckedAnswer> =>
    send({ jsonrpc: '2.0', id: (lastId += 1), method, params });

  const initialized = once(async () => {
    const clientInfo = { name: 'countersign-doctor', version: '1' };
    const answer = await request('initialize', { protocolVersion, capabilities: {}, clientInfo });
    const result = resultOf(answer);
    const session = answer.headers.get('mcp-session-id');
    const version = result['protocolVersion'];
    sessionHeaders = {
      ...(session === null ? {} : { 'mcp-session-id': session }),
      ...(typeof version === 'string' ? { 'mcp-protocol-version': version } : {}),
    };
    await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return result;
  });
  const begun = () => given(initialized(), notChecked`The session of the remote tools could not be begun.`);
  return {
    initialized,
    async list(method) {
      await begun();
      return resultOf(await request(method, {}));
    },
    async read(tool, args) {
      await begun();
      return outcomeOf(await request('tools/call', { name: tool, arguments: args }));
    },
    async raw(body, { bearer }) {
      const token = bearer === undefined ? await tokenOf() : bearer;
      return ask({ method: 'POST', url, headers: { ...bodyHeaders, ...bearerOf(token) }, body });
    },
    async end() {
      if (sessionHeaders['mcp-session-id'] === undefined) return;
      const headers = { ...sessionHeaders, ...bearerOf(await tokenOf()) };
      await ask({ method: 'DELETE', url, headers });
    },
  };
}

function bearerOf(token: string | null): Record<string, string> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

function resultOf(answer: CheckedAnswer): JsonObject {
  expectSuccess(answer, 'remote');
  const message = messageOf(answer);
  if (message['error'] !== undefined)
    throw drift`Expected a result; came an error of the protocol, ${shown(message['error'])}.`;
  return objectOf(message['result'], 'the result');
}

/** Reads a refusal in any of its forms: a status, a protocol error or a result. */
function outcomeOf(answer: CheckedAnswer): RpcAnswer {
  if (answer.status >= 400 && answer.status < 500 && answer.status !== 401) {
    return { result: null, status: answer.status };
  }
  expectSuccess(answer, 'remote');
  const { error, result } = messageOf(answer);
  if (error !== undefined) return { result: null, status: statusIn(error, 'data') };
  const value = objectOf(result, 'the result');
  if (value['isError'] !== true) return { result: value, status: answer.status };
  const structured = value['structuredContent'];
  return { result: null, status: statusIn(structured, 'error') };
}

function statusIn(value: JsonValue | undefined, member: string): number {
  const inner = isJsonObject(value) ? value[member] : undefined;
  if (!isJsonObject(inner)) return 0;
  const status = inner['statusCode'] ?? inner['status'];
  return typeof status === 'number' ? status : 0;
}

function messageOf(answer: CheckedAnswer): JsonObject {
  const message = objectOf(jsonOf(answer), 'the JSON-RPC message');
  if (message['jsonrpc'] !== '2.0') throw drift`Expected jsonrpc "2.0"; came ${shown(message['jsonrpc'])}.`;
  return message;
}

function idOf(data: string): JsonValue | undefined {
  try {
    const message = readStrictJson(data);
    return isJsonObject(message) ? message['id'] : undefined;
  } catch (refusal) {
    if (refusal instanceof JsonRefusal) return undefined;
    throw refusal;
  }
}
