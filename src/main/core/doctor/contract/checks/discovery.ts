import { authorizationServerSchema, protectedResourceSchema } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { ownWords } from '#shared/lib/sentence.ts';
import { type CheckContext, checksThatNeed, drift, given, notChecked } from '../check.ts';
import {
  expectStatus,
  expectSuccess,
  jsonOf,
  listOf,
  objectOf,
  requireSameOrigin,
  expectShape,
  shown,
} from '../expect.ts';

/** Contract §4.3. Only the status is checked. */
export const healthChecks = checksThatNeed([], {
  'health.alive': {
    clause: '§4.3',
    title: '/health answers without credentials',
    run: async ({ open, addresses }) => expectSuccess(await open.get(`${addresses.mcpUrl}/health`), null),
  },
  'health.ready': {
    clause: '§4.3, §7.3',
    title: '/ready answers 200, or 503 while something is missing',
    async run({ open, addresses }) {
      const answer = await open.get(`${addresses.mcpUrl}/ready`);
      if (answer.status !== 503) expectStatus(answer, [200], 'or 503 as readiness');
    },
  },
});

/** Uses the answers of all other checks, so it runs last. */
export const jsonFormChecks = checksThatNeed([], {
  'json.byte-order-mark': {
    clause: '§2.1, RFC 8259 §8.1',
    title: 'No JSON begins with a byte order mark',
    async run({ answered, formats }) {
      if (answered.size === 0) throw notChecked`No answer was read.`;
      const marked = [...answered].flatMap(([path, hasMark]) => (hasMark ? [path] : []));
      const others = marked.length > 1 ? ` and ${formats.counted(marked.length - 1, 'other path')}` : '';
      if (marked[0] !== undefined)
        throw drift`Expected JSON alone; came a byte order mark before it, at ${ownWords(marked[0] + others)}.`;
    },
  },
});

const resourcePath = '/.well-known/oauth-protected-resource/mcp';
const serverPath = '/.well-known/oauth-authorization-server';

async function documentAt({ open, addresses }: CheckContext, path: string): Promise<JsonObject> {
  const answer = await open.get(`${addresses.mcpUrl}${path}`);
  expectSuccess(answer, null);
  return objectOf(jsonOf(answer), 'the document');
}

const resourceDocument = (context: CheckContext) => documentAt(context, resourcePath);
const serverDocument = (context: CheckContext) => documentAt(context, serverPath);

const unread = notChecked`The authorization server’s document could not be read.`;

async function listIn(context: CheckContext, member: string): Promise<unknown[]> {
  const document = await given(context.once(serverDocument), unread);
  if (document[member] === undefined)
    throw drift`Expected ${ownWords(member)} in the document; came nothing.`;
  return listOf(document[member], member);
}

async function expectNamed(context: CheckContext, member: string, names: readonly string[]): Promise<void> {
  const found = await listIn(context, member);
  const missing = names.filter((name) => !found.includes(name));
  if (missing.length > 0)
    throw drift`Expected ${ownWords(missing.join(' and '))} among ${ownWords(member)}; came ${shown(found as string[])}.`;
}

export const discoveryChecks = checksThatNeed([], {
  'discovery.resource': {
    clause: '§4.3, §5.3',
    title: 'The protected resource names itself, {mcp_url}/mcp, and its authorization server',
    async run(context) {
      const document = await context.once(resourceDocument);
      const { resource } = expectShape(document, protectedResourceSchema, 'document');
      const expected = `${context.addresses.mcpUrl}/mcp`;
      if (resource !== expected)
        throw drift`Expected the resource ${ownWords(expected)}; came ${shown(resource)}.`;
    },
  },
  'discovery.server': {
    clause: '§4.3, §5.3',
    title: 'The authorization server names its endpoints',
    async run(context) {
      expectShape(await context.once(serverDocument), authorizationServerSchema, 'document');
    },
  },
  'discovery.pkce': {
    clause: '§5.3',
    title: 'The authorization server takes PKCE with S256 only',
    async run(context) {
      const methods = await listIn(context, 'code_challenge_methods_supported');
      if (methods.length !== 1 || methods[0] !== 'S256')
        throw drift`Expected S256 alone; came ${shown(methods as string[])}.`;
    },
  },
  'discovery.public-clients': {
    clause: '§5.3',
    title: 'The authorization server takes public clients',
    run: (context) => expectNamed(context, 'token_endpoint_auth_methods_supported', ['none']),
  },
  'discovery.grants': {
    clause: '§5.3',
    title: 'The authorization server gives access for codes and for refresh tokens',
    run: (context) => expectNamed(context, 'grant_types_supported', ['authorization_code', 'refresh_token']),
  },
  'discovery.registration': {
    clause: '§5.3',
    title: 'Clients register by themselves',
    async run(context) {
      const document = await given(context.once(serverDocument), unread);
      const endpoint = document['registration_endpoint'];
      if (endpoint === undefined)
        throw notChecked`Registration is closed: the document names no endpoint for it.`;
      if (typeof endpoint !== 'string')
        throw drift`Expected an address as registration_endpoint; came ${shown(endpoint)}.`;
    },
  },
});

const listPath = '/campaigns?perPage=1';

export const memberAccessChecks = checksThatNeed([], {
  'member-access.none': {
    clause: '§5.1, §7.1',
    title: 'The member endpoints answer 401 without a token',
    run: async ({ member }) =>
      expectStatus(await member.get(listPath, { bearer: null }), [401], 'without a token'),
  },
  'member-access.nonsense': {
    clause: '§5.1, §7.1',
    title: 'The member endpoints answer 401 to a token that is none',
    run: async ({ member }) =>
      expectStatus(await member.get(listPath, { bearer: 'not-a-token' }), [401], 'to a token that is none'),
  },
  'member-access.publisher-key': {
    clause: '§5.1',
    title: 'The member endpoints take no publisher key',
    needs: ['publisher'],
    async run({ member, addresses, credentials }) {
      requireSameOrigin(addresses.baseUrl, addresses.apiUrl, 'publisher');
      const answer = await member.get(listPath, { bearer: credentials.publisherKey });
      expectStatus(answer, [401, 403], 'to a publisher key');
    },
  },
});

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

export const remoteAccessChecks = checksThatNeed([], {
  'remote-access.none': {
    clause: '§5.3, §7.3',
    title: 'The remote endpoint answers 401 without a token',
    run: async ({ remote }) =>
      expectStatus(await remote.raw(ping, { bearer: null }), [401], 'without a token'),
  },
  'remote-access.challenge': {
    clause: '§5.3, RFC 9728 §5.1',
    title: 'The 401 of the remote endpoint says in WWW-Authenticate where its metadata is',
    async run({ remote }) {
      const { status, headers } = await remote.raw(ping, { bearer: null });
      if (status !== 401) throw notChecked`The remote endpoint does not answer 401.`;
      const challenge = headers.get('www-authenticate');
      if (challenge === null)
        throw drift`Expected WWW-Authenticate, by which clients find the sign-in; came nothing.`;
      if (!/^bearer\b.*\bresource_metadata="/i.test(challenge)) {
        throw drift`Expected Bearer with resource_metadata in WWW-Authenticate; came ${shown(challenge)}.`;
      }
    },
  },
  'remote-access.nonsense': {
    clause: '§5.3, §7.3',
    title: 'The remote endpoint answers 401 to a token that is none',
    run: async ({ remote }) =>
      expectStatus(await remote.raw(ping, { bearer: 'not-a-token' }), [401], 'to a token that is none'),
  },
  'remote-access.protocol': {
    clause: '§7.3',
    title: 'The remote endpoint answers 400 to what is no message of the protocol',
    needs: ['remote'],
    run: async ({ remote }) =>
      expectStatus(await remote.raw('{"jsonrpc":"2.0"', {}), [400], 'to half a message'),
  },
});
