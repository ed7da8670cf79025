import { STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import { catalogue, refusalCodes } from '#shared/errors/index.ts';

/** Whose error bodies an address speaks: REST, the authorization server (RFC 6749 §5.2), or JSON-RPC. */
export type Surface = 'rest' | 'oauth' | 'mcp';

/** The error of an authorization server for a status; what is not named is a refused request. */
const oauthErrors: Readonly<Partial<Record<number, string>>> = {
  401: 'invalid_client',
  403: 'access_denied',
  429: 'temporarily_unavailable',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

const remoteCodes: Readonly<Partial<Record<number, string>>> = {
  401: 'token_invalid',
  429: 'quota_exceeded',
  503: 'not_ready',
};

/** JSON-RPC leaves this code to the server. */
const serverError = -32_000;

/** Answers with the status of an armed fault, in the form that the address has for errors. */
export function answerFault(
  response: ServerResponse,
  { status, surface, challenge }: { status: number; surface: Surface; challenge: string },
): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  if (status === 429 || status === 503) response.setHeader('retry-after', '1');
  if (status === 401) response.setHeader('www-authenticate', surface === 'mcp' ? challenge : 'Bearer');
  response.end(JSON.stringify(bodies[surface](status)));
}

const bodies: Readonly<Record<Surface, (status: number) => object>> = {
  rest(status) {
    const code = refusalCodes[status];
    const message = code === undefined ? nameOf(status) : catalogue[code].text;
    return { status: 'error', message, code: code ?? 'fault' };
  },
  oauth: (status) => ({
    error: oauthErrors[status] ?? 'invalid_request',
    error_description: nameOf(status),
  }),
  mcp: (status) => ({
    jsonrpc: '2.0',
    id: null,
    error: { code: serverError, message: nameOf(status), data: { code: remoteCodes[status] ?? 'fault' } },
  }),
};

const nameOf = (status: number): string => STATUS_CODES[status] ?? 'Error';
