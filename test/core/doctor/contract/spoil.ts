import type { PassingAnswer, PassingRequest, Spoiling } from './spoiling-proxy.ts';

/** Parsed JSON that a test may change freely. */
export interface Loose {
  [name: string]: Loose | undefined;
}

export const items = (value: Loose | undefined): Loose[] => value as unknown as Loose[];

export const list = '/api/v1/login/campaigns/campaigns';
const one = /^\/api\/v1\/login\/campaigns\/\d+$/;

export type Which = (request: PassingRequest) => boolean;

export const isList: Which = ({ method, path }) => method === 'GET' && path === list;
export const isOne: Which = ({ method, path }) => method === 'GET' && one.test(path);
export const at =
  (wanted: string): Which =>
  ({ path }) =>
    path === wanted;
export const asking =
  (which: Which, query: Record<string, string>): Which =>
  (request) =>
    which(request) && Object.entries(query).every(([name, value]) => request.query.get(name) === value);
export const posting =
  (text: string): Which =>
  ({ method, path, body }) =>
    method === 'POST' && path === '/mcp' && body.includes(text);

/** Changes the JSON body of a successful answer. */
export function edit(which: Which, change: (body: Loose, request: PassingRequest) => void): Spoiling {
  return {
    answer(answer, request) {
      if (!which(request) || answer.status !== 200) return;
      const body = JSON.parse(answer.body) as Loose;
      change(body, request);
      answer.body = JSON.stringify(body);
    },
  };
}

/** Replaces parts of the answer: status, headers or body. */
export function say(which: Which, other: Partial<PassingAnswer>): Spoiling {
  return { answer: (answer, request) => void (which(request) && Object.assign(answer, other)) };
}

/** Replaces the status `from` by the status `to`; other answers stay. */
export function turn(which: Which, from: number, to: number): Spoiling {
  return {
    answer(answer, request) {
      if (which(request) && answer.status === from) answer.status = to;
    },
  };
}

/** Removes these parameters from the request, so that the service ignores them. */
export function ignore(which: Which, ...names: string[]): Spoiling {
  return {
    request(request) {
      if (which(request)) for (const name of names) request.query.delete(name);
    },
  };
}

/** Sends the campaign list request with another query to the service. */
export function insteadOf(query: Record<string, string>, other: Record<string, string>): Spoiling {
  return {
    request(request) {
      if (!asking(isList, query)(request)) return;
      for (const name of Object.keys(query)) request.query.delete(name);
      for (const [name, value] of Object.entries(other)) request.query.set(name, value);
    },
  };
}

export const rowsOf = (body: Loose): Loose[] => items(body['data']?.['data']);
export const campaignOf = (body: Loose): Loose => body['data']!['campaign']!;
export const set = (target: Loose | undefined, name: string, value: unknown): void => {
  (target as unknown as Record<string, unknown>)[name] = value;
};
const structured = (body: Loose): Loose => body['result']?.['structuredContent'] ?? {};
export const pagination = (body: Loose): Loose => structured(body)['sourcePagination'] ?? {};
export const campaigns = (body: Loose): Loose[] =>
  items(structured(body)['data'] ?? ([] as unknown as Loose));
export const html = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><p>Hello',
};

export const resource = at('/.well-known/oauth-protected-resource/mcp');
export const server = at('/.well-known/oauth-authorization-server');
export const search = at('/publisher/search-report');
export const xml = at('/xml/stats');
export const walk = posting('"svc_list_campaigns"');
