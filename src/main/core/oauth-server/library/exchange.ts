import type { EventEmitter } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type Provider from 'oidc-provider';
import type { Adapter } from 'oidc-provider';
import { AppError, catalogue, type ErrorCode } from '#shared/errors/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { OAuthRows } from '#core/store/oauth-rows.ts';
import type { AuthorizationServerOptions, TokenLifetimes } from '../authorization-server.ts';

/** A request for the library. It contains only values that have passed the checks. */
interface LibraryRequest {
  path: string;
  query?: ReadonlyMap<string, string>;
  form?: ReadonlyMap<string, string>;
  cookie?: string | undefined;
}

interface LibraryAnswer {
  status: number;
  location: string | null;
  cookies: string[];
  body: string;
  /** The failure inside the library if the status is 500 or higher, otherwise null. */
  failure: unknown;
}

interface RequestPair {
  request: IncomingMessage;
  response: ServerResponse;
}

interface LibraryExchange {
  run(request: LibraryRequest): Promise<LibraryAnswer>;
  pair(cookie: string | undefined): RequestPair;
}

/** The library never gets the raw request. None of its own headers, pages or routes reaches the network. */
export function createLibraryExchange(provider: Provider): LibraryExchange {
  const handle = provider.callback();
  const { host } = new URL(provider.issuer);
  const failures = new WeakMap<IncomingMessage, unknown>();
  provider.on('server_error', (ctx, failure: unknown) => void failures.set(ctx.req, failure));
  // Without a listener, Koa prints the event to the console. The library's types omit this event.
  const koa: EventEmitter = provider;
  koa.on('error', (failure: unknown, ctx?: { req: IncomingMessage }) => {
    if (ctx !== undefined) failures.set(ctx.req, failure);
  });
  return {
    async run(asked) {
      const { request, response } = makePair(asked, host);
      const answered = answerOf(response);
      await handle(request, response);
      const answer = await answered;
      return { ...answer, failure: failures.get(request) ?? null };
    },
    pair: (cookie) => makePair({ path: '/', cookie }, host),
  };
}

function makePair({ path, query, form, cookie }: LibraryRequest, host: string): RequestPair {
  const request = new IncomingMessage(new Socket());
  request.httpVersionMajor = 1;
  request.httpVersionMinor = 1;
  request.httpVersion = '1.1';
  request.method = form === undefined ? 'GET' : 'POST';
  request.url = query === undefined ? path : `${path}?${encode(query)}`;
  request.headers = { host, accept: 'application/json', ...(cookie === undefined ? {} : { cookie }) };
  if (form !== undefined) {
    const body = Buffer.from(encode(form));
    request.headers['content-type'] = 'application/x-www-form-urlencoded';
    request.headers['content-length'] = String(body.length);
    request.push(body);
  }
  request.push(null);
  request.complete = true;
  return { request, response: new ServerResponse(request) };
}

function encode(parameters: ReadonlyMap<string, string>): string {
  return new URLSearchParams([...parameters]).toString();
}

function answerOf(response: ServerResponse): Promise<Omit<LibraryAnswer, 'failure'>> {
  return new Promise((resolve) => {
    response.end = (body?: unknown) => {
      const location = response.getHeader('location');
      const cookies = response.getHeader('set-cookie') ?? [];
      resolve({
        status: response.statusCode,
        location: location === undefined ? null : String(location),
        cookies: Array.isArray(cookies) ? cookies : [String(cookies)],
        body: typeof body === 'string' || Buffer.isBuffer(body) ? body.toString() : '',
      });
      return response;
    };
  });
}

/** The JSON of a successful answer. A refusal becomes an `AppError`. */
export function jsonOf({ status, body, failure }: LibraryAnswer): Record<string, unknown> {
  if (failure instanceof AppError) throw failure;
  if (status >= 500 || failure !== null) throw new AppError('internal', { cause: failure });
  const value = (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>;
  if (status >= 400) throw refusalOf(value['error']);
  return value;
}

function refusalOf(error: unknown): AppError {
  const code = `oauth_${String(error)}`;
  // An unknown error code means that our own checks should have refused the request before.
  if (!(code in catalogue)) return new AppError('oauth_invalid_request');
  return new AppError(code as ErrorCode);
}

export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

export interface Library extends LibraryExchange {
  provider: Provider;
  clients: Adapter;
  findInteraction(request: IncomingMessage, response: ServerResponse): Promise<Interaction | null>;
}

export interface AdapterParts {
  rows: OAuthRows;
  lifetimes: TokenLifetimes;
  clock: Clock;
  endGrant(grantId: string): void;
}

export interface LibraryOptions extends AdapterParts {
  options: Pick<
    AuthorizationServerOptions,
    'issuer' | 'resource' | 'scopes' | 'isActive' | 'ids' | 'knownClients'
  >;
  onEnded(grantId: string): void;
}

/** Loads the library once, at the first request that needs it, because it is large and would slow down every start. */
export type OpenLibrary = () => Promise<Library>;

/** The names of the library's cookies. They contain the port, because browsers share cookies between ports of a host. */
export function cookieNames(issuer: string) {
  const { port } = new URL(issuer);
  return {
    session: `countersign-${port}-session`,
    interaction: `countersign-${port}-interaction`,
    resume: `countersign-${port}-resume`,
  };
}
