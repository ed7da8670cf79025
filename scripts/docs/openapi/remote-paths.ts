import { catalogue, type ErrorCode } from '#shared/errors/index.ts';
import { answer, refusals, json, reference, type OpenApiPart } from './schema.ts';

const tags = ['Remote tools'];

function rpcRefusals(...codes: ErrorCode[]): OpenApiPart {
  const rpc = Object.entries(refusals(...codes)).map(([status, response]) => [
    status,
    { ...(response as OpenApiPart), content: json(reference('JsonRpcError')) },
  ]);
  return Object.fromEntries(rpc) as OpenApiPart;
}

const session: OpenApiPart = {
  name: 'Mcp-Session-Id',
  in: 'header',
  schema: { type: 'string' },
  description: 'As `initialize` gave it; on every other request.',
};

const security = [{ accessToken: ['svc:read'] }];

export const remotePaths: OpenApiPart = {
  '/mcp': {
    post: {
      tags,
      security,
      operationId: 'callRemote',
      summary: 'One JSON-RPC message (MCP Streamable HTTP)',
      description:
        'A refusal inside a tool call is a result with `isError` and `structuredContent.error`, with the status that the contract names for it.',
      parameters: [session],
      requestBody: { required: true, content: json(reference('JsonRpcCall')) },
      responses: {
        '200': answer('The answer, as JSON or as an event stream.', {
          ...json({ type: 'object' }),
          'text/event-stream': { schema: { type: 'string' } },
        }),
        '202': answer('Taken; nothing to answer.'),
        ...rpcRefusals(
          'bad_input',
          'token_invalid',
          'scope_missing',
          'menu_denied',
          'session_unknown',
          'not_acceptable',
          'payload_too_large',
          'unsupported_media_type',
          'host_not_allowed',
          'quota_exceeded',
          'not_ready',
        ),
      },
    },
    get: {
      tags,
      security,
      operationId: 'listenRemote',
      summary: 'The stream of a session’s notifications',
      parameters: [{ ...session, required: true }],
      responses: {
        '200': answer('The stream.', { 'text/event-stream': { schema: { type: 'string' } } }),
        ...rpcRefusals(
          'bad_request',
          'token_invalid',
          'menu_denied',
          'session_unknown',
          'not_acceptable',
          'stream_open',
          'not_ready',
        ),
      },
    },
    delete: {
      tags,
      security,
      operationId: 'endRemote',
      summary: 'End a session',
      parameters: [{ ...session, required: true }],
      responses: {
        '204': answer('Ended.'),
        ...rpcRefusals('bad_request', 'token_invalid', 'menu_denied', 'session_unknown', 'not_ready'),
      },
    },
  },
  '/uploads/{name}': {
    get: {
      tags,
      operationId: 'getUpload',
      summary: 'An uploaded icon or image, at an address that never changes',
      parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
      responses: {
        '200': answer('The file.', { 'image/*': { schema: { type: 'string', format: 'binary' } } }),
        '304': answer('The file that `If-None-Match` names is the one.'),
        ...refusals('not_found', 'not_ready'),
      },
    },
  },
  '/health': {
    get: {
      tags: ['Health'],
      operationId: 'health',
      summary: 'The process responds',
      responses: { '200': answer('It does.', json(reference('Health'))) },
    },
  },
  '/ready': {
    get: {
      tags: ['Health'],
      operationId: 'ready',
      summary: 'What the service needs is available',
      responses: {
        '200': answer('Everything is.', json(reference('Ready'))),
        '503': answer(catalogue.not_ready.text, json(reference('Ready'))),
      },
    },
  },
};
