import { answer, json, reference, type OpenApiPart } from './schema.ts';

const tags = ['OAuth 2.1'];
const text: OpenApiPart = { type: 'string' };

function refusal(description: string): OpenApiPart {
  return answer(description, json(reference('OAuthError')));
}

function form(properties: OpenApiPart, required: string[]): OpenApiPart {
  const schema = { type: 'object', properties, required };
  return { required: true, content: { 'application/x-www-form-urlencoded': { schema } } };
}

function parameter(name: string, schema: OpenApiPart, isRequired = true): OpenApiPart {
  return { name, in: 'query', required: isRequired, schema };
}

export const oauthPaths: OpenApiPart = {
  '/.well-known/oauth-protected-resource/mcp': {
    get: {
      tags,
      operationId: 'protectedResource',
      summary: 'Metadata of the protected resource (RFC 9728)',
      responses: { '200': answer('The document.', json(reference('ProtectedResource'))) },
    },
  },
  '/.well-known/oauth-authorization-server': {
    get: {
      tags,
      operationId: 'authorizationServer',
      summary: 'Metadata of the authorization server (RFC 8414)',
      responses: { '200': answer('The document.', json(reference('AuthorizationServer'))) },
    },
  },
  '/register': {
    post: {
      tags,
      operationId: 'registerClient',
      summary: 'Register a public client (RFC 7591)',
      requestBody: { required: true, content: json(reference('ClientMetadata')) },
      responses: {
        '201': answer('Registered.', json(reference('RegisteredClient'))),
        '400': refusal('The metadata is not acceptable, a redirect address above all.'),
        '403': refusal('`access_denied`: the service registers no clients, as inside the app.'),
        '429': refusal('Too many registrations; `Retry-After` says how long to wait.'),
        '503': refusal('The storage is not available.'),
      },
    },
  },
  '/authorize': {
    get: {
      tags,
      operationId: 'authorize',
      summary: 'Ask a person for access (RFC 6749 §4.1.1, RFC 7636, RFC 8707)',
      parameters: [
        parameter('client_id', text),
        parameter('redirect_uri', text),
        parameter('response_type', { const: 'code' }),
        parameter('code_challenge', { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' }),
        parameter('code_challenge_method', { const: 'S256' }),
        parameter('resource', { type: 'string', description: '`{mcp_url}/mcp`, exactly.' }),
        parameter('state', text, false),
        parameter('scope', { type: 'string', default: 'svc:read' }, false),
      ],
      responses: {
        '303': answer(
          'To the page that asks, or back to the client with `code` or `error`, `state` and `iss`.',
        ),
        '400': answer('Client or redirect address are wrong: the browser is not redirected.'),
      },
    },
  },
  '/token': {
    post: {
      tags,
      operationId: 'token',
      summary: 'Exchange a code or rotate a refresh token (RFC 6749 §4.1.3, §6)',
      requestBody: form(
        {
          grant_type: { enum: ['authorization_code', 'refresh_token'] },
          client_id: text,
          code: text,
          redirect_uri: text,
          code_verifier: text,
          refresh_token: text,
          scope: text,
          resource: text,
        },
        ['grant_type', 'client_id'],
      ),
      responses: {
        '200': answer('Opaque tokens, bound to the resource.', json(reference('TokenAnswer'))),
        '400': refusal('`invalid_grant`, `invalid_target`, `invalid_scope` and the like.'),
        '401': refusal('`invalid_client`.'),
        '429': refusal('Too many requests; `Retry-After` says how long to wait.'),
        '503': refusal('The storage is not available.'),
      },
    },
  },
  '/revoke': {
    post: {
      tags,
      operationId: 'revoke',
      summary: 'Revoke a token (RFC 7009)',
      requestBody: form({ token: text, token_type_hint: text, client_id: text }, ['token', 'client_id']),
      responses: {
        '200': answer('The token is no longer valid, or never was.'),
        '400': refusal('The request is not acceptable.'),
        '401': refusal('`invalid_client`.'),
        '429': refusal('Too many requests; `Retry-After` says how long to wait.'),
        '503': refusal('The storage is not available.'),
      },
    },
  },
};
