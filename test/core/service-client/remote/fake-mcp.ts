import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { silentLogger, type Logger } from '#core/platform/logger.ts';
import {
  createRemoteClient,
  type CallOutcome,
  type RemoteAccess,
  type RemoteClient,
} from '#core/service-client/index.ts';
import type { RetryTimers } from '#core/service-client/retry.ts';
import type { Protocol, ProtocolMemory } from '#core/service-client/remote/session.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

export interface Received {
  http: string;
  headers: IncomingHttpHeaders;
  /** The method of the JSON-RPC message; null if there is none. */
  method: string | null;
  id: number | null;
  params: JsonObject;
  /** The message if it is an answer of our client; otherwise empty. */
  answered: JsonObject;
}

/** Answers one request instead of the usual answer. */
export type Answer = (response: ServerResponse, received: Received) => void;

export interface FakeMcp {
  mcpUrl: string;
  received: Received[];
  /** By JSON-RPC method, or by `GET` and `DELETE`. */
  answers: Record<string, Answer>;
  /** The methods of the received requests, in order. */
  methods(): string[];
  /** Resolves when this many requests of this kind have been received. */
  came(kind: string, times?: number): Promise<void>;
}

export const sessionId = 'session-1';

/** Starts a remote service on a real loopback port, with the answers of the test. Ends with the test. */
export async function startFakeMcp(answers: Record<string, Answer> = {}): Promise<FakeMcp> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const fake: FakeMcp = {
    mcpUrl: '',
    received,
    answers,
    methods: () => received.map(kindOf),
    async came(kind, times = 1) {
      const has = () => fake.methods().filter((method) => method === kind).length >= times;
      while (!has()) await new Promise<void>((resolve) => waiting.add(resolve));
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const one = read(request, Buffer.concat(chunks).toString());
    received.push(one);
    const answer = fake.answers[kindOf(one)] ?? usualAnswers[kindOf(one)] ?? accept;
    answer(response, one);
    for (const wake of waiting) wake();
    waiting.clear();
  }

  const server = createServer((request, response) => void handle(request, response).catch(() => undefined));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
  fake.mcpUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}

function read({ method: http = '', headers }: IncomingMessage, body: string): Received {
  const message = (body === '' ? {} : JSON.parse(body)) as JsonObject & Partial<Received>;
  const { method = null, id = null, params = {} } = message;
  return { http, headers, method, id, params, answered: method === null ? message : {} };
}

function kindOf({ http, method }: Received): string {
  return method ?? http;
}

/** Answers of an ordinary service. */
const usualAnswers: Record<string, Answer> = {
  initialize: (response, { id }) => {
    response.setHeader('mcp-session-id', sessionId);
    giveJson(response, { jsonrpc: '2.0', id, result: initializeResult });
  },
  GET: (response) => void response.writeHead(405).end(),
  DELETE: (response) => void response.writeHead(204).end(),
  'tools/list': giveResult({ tools: [] }),
  'tools/call': giveResult({ content: [] }),
};

const accept: Answer = (response) => void response.writeHead(202).end();

export const initializeResult = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, resources: {}, prompts: {} },
  serverInfo: { name: 'fake', version: '7' },
};

export function giveJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** Answers with a result as JSON. */
export function giveResult(result: unknown): Answer {
  return (response, { id }) => giveJson(response, { jsonrpc: '2.0', id, result });
}

/** Answers with an HTTP error. */
export function refuse(status: number, headers: Record<string, string> = {}, body: unknown = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Gives each answer once, and repeats the last one. */
export function inTurn(...answers: Answer[]): Answer {
  return (response, received) => {
    const [next] = answers.length > 1 ? answers.splice(0, 1) : answers;
    next?.(response, received);
  };
}

/** Begins a stream, to which the test writes events. */
export function openEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
}

export function eventOf(message: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`;
}

export const cut: Answer = (response) => void response.destroy();
export const silence: Answer = () => undefined;

export interface ClientSetup {
  /** By default, remembers a service that speaks 2025-11-25. */
  protocol?: ProtocolMemory;
  access?: RemoteAccess;
  timeoutMs?: number;
  pauses?: RetryTimers;
  logger?: Logger;
  observe?(outcome: CallOutcome): void;
}

/** Opens our client. It is disposed with the test. */
export function openClient(mcpUrl: string, setup: ClientSetup = {}): RemoteClient {
  const access = setup.access ?? fixedAccess('token-1');
  const protocol = protocolMemory('initialized');
  const usual = { mcpUrl, timeoutMs: 10_000, logger: silentLogger, protocol };
  const client = createRemoteClient({ ...usual, ...setup, access });
  onTestFinished(() => client.dispose());
  return client;
}

export function protocolMemory(known: Protocol | null): ProtocolMemory {
  let protocol = known;
  return { read: () => protocol, write: (spoken) => void (protocol = spoken) };
}

/** Access with a token that cannot be renewed. */
export function fixedAccess(token: string): RemoteAccess {
  return { token: async () => token, renew: () => Promise.reject(new Error('Nothing to renew')) };
}

export async function failureOf(
  work: Promise<unknown>,
): Promise<Error & { code?: string; data?: JsonObject }> {
  return work.then(
    () => Promise.reject(new Error('It did not fail')),
    (failure: unknown) => failure as Error,
  );
}
