import { expect, test } from 'vitest';
import { createUrlPolicy, discover, type Discovery, type DocumentRead } from '#core/service-client/index.ts';
import { startBackend } from '#test/core/backend/open-backend.ts';
import {
  answer,
  json,
  resourceOf,
  resourcePath,
  serverOf,
  serverPath,
  startDocumentService,
  type DocumentService,
} from './document-service.ts';
import { failureOf } from '../../failure-of.ts';

type Options = Partial<Parameters<typeof discover>[0]>;

function discoverAt({ origin }: Pick<DocumentService, 'origin'>, options: Options = {}): Promise<Discovery> {
  const policy = createUrlPolicy({ mcpUrl: origin });
  return discover({ mcpUrl: origin, policy, timeoutMs: 20_000, ...options });
}

async function documentsAt(places: { resource: string | null; server: string; issuer?: string }) {
  const service = await startDocumentService();
  const { origin } = service;
  const issuer = `${origin}${places.issuer ?? ''}`;
  service.serve(resourcePath, null);
  service.serve(serverPath, null);
  if (places.resource !== null) {
    service.serve(places.resource, json({ ...resourceOf(origin), authorization_servers: [issuer] }));
  }
  service.serve(places.server, json(serverOf(issuer)));
  return service;
}

const rootResource = '/.well-known/oauth-protected-resource';
const openId = '/.well-known/openid-configuration';

test('the embedded service is discovered from its own documents', async () => {
  const service = await startBackend();
  try {
    const origin = `http://127.0.0.1:${service.port}`;
    const reads: [string, DocumentRead][] = [];
    const found = await discoverAt({ origin }, { onDocument: (...read) => void reads.push(read) });
    expect(found.resource).toBe(`${origin}/mcp`);
    expect(found.scopesSupported).toEqual(expect.arrayContaining(['svc:read', 'svc:write', 'svc:upload']));
    expect(found.server).toMatchObject({
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      revocation_endpoint: `${origin}/revoke`,
      code_challenge_methods_supported: ['S256'],
    });
    expect(reads.map(([which, { url, status }]) => [which, url, status])).toEqual([
      ['protected-resource', `${origin}${resourcePath}`, 200],
      ['authorization-server', `${origin}${serverPath}`, 200],
    ]);
  } finally {
    await service.dispose();
  }
});

test('the doctor gets every answer: address, status and duration', async () => {
  const service = await documentsAt({ resource: rootResource, server: serverPath });
  service.serve(
    serverPath,
    answer(JSON.stringify(serverOf(service.origin)), {
      headers: { 'content-type': 'Application/JSON; charset=utf-8' },
    }),
  );
  service.serve(rootResource, answer(JSON.stringify(resourceOf(service.origin))));
  const reads: DocumentRead[] = [];
  await discoverAt(service, { onDocument: (_which, read) => void reads.push(read) });
  expect(reads.map(({ url, status }) => [url, status])).toEqual([
    [`${service.origin}${resourcePath}`, 404],
    [`${service.origin}${rootResource}`, 200],
    [`${service.origin}${serverPath}`, 200],
  ]);
  expect(reads.every(({ tookMs }) => tookMs > 0)).toBe(true);
});

test.each<[string, { resource: string | null; server: string; issuer?: string }, string[]]>([
  [
    'at the places of the contract',
    { resource: resourcePath, server: serverPath },
    [resourcePath, serverPath],
  ],
  [
    'with the resource at the origin',
    { resource: rootResource, server: serverPath },
    [resourcePath, rootResource, serverPath],
  ],
  ['with an OpenID document', { resource: resourcePath, server: openId }, [resourcePath, serverPath, openId]],
  [
    'with an issuer that has a path',
    { resource: resourcePath, server: `${serverPath}/tenant`, issuer: '/tenant' },
    [resourcePath, `${serverPath}/tenant`],
  ],
  [
    'with an issuer that ends in a slash',
    { resource: resourcePath, server: `${serverPath}/a/b`, issuer: '/a/b/' },
    [resourcePath, `${serverPath}/a/b`],
  ],
  [
    'with an OpenID document before the path',
    { resource: resourcePath, server: `${openId}/tenant`, issuer: '/tenant' },
    [resourcePath, `${serverPath}/tenant`, `${openId}/tenant`],
  ],
  [
    'with an OpenID document behind the path',
    { resource: resourcePath, server: `/tenant${openId}`, issuer: '/tenant' },
    [resourcePath, `${serverPath}/tenant`, `${openId}/tenant`, `/tenant${openId}`],
  ],
  [
    'without metadata of the resource',
    { resource: null, server: serverPath },
    [resourcePath, rootResource, serverPath],
  ],
  [
    'without metadata of the resource, and with an issuer below the origin',
    { resource: null, server: serverPath, issuer: '/oauth' },
    [resourcePath, rootResource, serverPath],
  ],
])('documents %s are found, in the order of the standards', async (_, places, paths) => {
  const service = await documentsAt(places);
  const { resource, scopesSupported, server } = await discoverAt(service);
  expect(resource).toBe(`${service.origin}/mcp`);
  expect(scopesSupported).toEqual(places.resource === null ? null : ['svc:read', 'svc:write']);
  expect(server).toEqual(serverOf(`${service.origin}${places.issuer ?? ''}`));
  expect(service.paths).toEqual(paths);
});

test('only the metadata address that a 401 announced is read', async () => {
  const service = await documentsAt({ resource: '/custom/resource.json', server: serverPath });
  const resourceMetadataUrl = `${service.origin}/custom/resource.json`;
  expect((await discoverAt(service, { resourceMetadataUrl })).server.issuer).toBe(service.origin);
  expect(service.paths).toEqual(['/custom/resource.json', serverPath]);

  const gone = await failureOf(discoverAt(service, { resourceMetadataUrl: `${service.origin}/gone` }));
  expect([gone.code, gone.data['document']]).toEqual(['discovery_failed', 'protected-resource']);
  expect(service.paths.slice(2)).toEqual(['/gone']);
});

test('a document at the origin may describe the origin, and the token is still requested for the tools', async () => {
  const service = await documentsAt({ resource: rootResource, server: serverPath });
  service.serve(rootResource, json({ ...resourceOf(service.origin), resource: service.origin }));
  expect((await discoverAt(service)).resource).toBe(`${service.origin}/mcp`);
});

test('without metadata of the resource, an issuer of another origin is refused', async () => {
  const service = await documentsAt({ resource: null, server: serverPath });
  service.serve(serverPath, json({ ...serverOf(service.origin), issuer: 'http://127.0.0.1:1' }));
  const failure = await failureOf(discoverAt(service));
  expect([failure.code, failure.data['field']]).toEqual(['discovery_failed', 'issuer']);
});

test.each([
  ['no document at all', { resource: null, server: '/elsewhere' }, 'protected-resource'],
  ['no document of the server', { resource: resourcePath, server: '/elsewhere' }, 'authorization-server'],
])('the failure names the document: %s', async (_, places, document) => {
  const failure = await failureOf(discoverAt(await documentsAt(places)));
  expect([failure.code, failure.data['document']]).toEqual(['discovery_failed', document]);
});

test.each([
  ['says nothing', undefined],
  ['has null', null],
])('a server that %s about clients and grants is accepted', async (_what, nothing) => {
  const service = await startDocumentService();
  const said = { ...service.server };
  for (const field of [
    'token_endpoint_auth_methods_supported',
    'grant_types_supported',
    'scopes_supported',
    'registration_endpoint',
    'revocation_endpoint',
  ]) {
    service.server[field] = nothing;
    delete said[field];
  }
  service.server['authorization_response_iss_parameter_supported'] = true;
  const server = { ...said, authorization_response_iss_parameter_supported: true };
  expect((await discoverAt(service)).server).toEqual(server);
  service.server['authorization_response_iss_parameter_supported'] = nothing;
  expect((await discoverAt(service)).server).toEqual(said);
});

test('the first usable server of several is used; if no server is usable, the first failure is reported', async () => {
  const service = await startDocumentService();
  const { origin } = service;
  service.resource['authorization_servers'] = [`${origin}/none`, `${origin}/plain`, `${origin}/good`, origin];
  service.serve(
    `${serverPath}/plain`,
    json({ ...serverOf(`${origin}/plain`), code_challenge_methods_supported: ['plain'] }),
  );
  service.serve(`${serverPath}/good`, json(serverOf(`${origin}/good`)));
  expect((await discoverAt(service)).server.issuer).toBe(`${origin}/good`);

  service.resource['authorization_servers'] = [`${origin}/plain`, `${origin}/none`];
  const failure = await failureOf(discoverAt(service));
  expect([failure.code, failure.data['field']]).toEqual([
    'discovery_failed',
    'code_challenge_methods_supported',
  ]);
});

test('no more than four servers are tried, however many are named', async () => {
  const service = await startDocumentService();
  service.resource['authorization_servers'] = Array.from(
    { length: 100 },
    (_, index) => `${service.origin}/${index}`,
  );
  await failureOf(discoverAt(service));
  const tried = new Set(service.paths.map((path) => /\d+/.exec(path)?.[0]).filter(Boolean));
  expect([...tried]).toEqual(['0', '1', '2', '3']);
});

test('a service at a closed port is reported as unreachable', async () => {
  const failure = await failureOf(discoverAt({ origin: 'http://127.0.0.1:1' }));
  expect(failure.code).toBe('service_unreachable');
});

test('a cancelled discovery fails with the caller’s reason and tries no further server', async () => {
  const service = await startDocumentService();
  const cancel = new AbortController();
  service.resource['authorization_servers'] = [`${service.origin}/slow`, service.origin];
  service.serve(`${serverPath}/slow`, () => cancel.abort(new Error('enough')));
  await expect(discoverAt(service, { signal: cancel.signal })).rejects.toThrow('enough');
  expect(service.paths).toEqual([resourcePath, `${serverPath}/slow`]);
});
