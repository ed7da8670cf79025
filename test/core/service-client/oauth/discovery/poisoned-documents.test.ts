import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createUrlPolicy, discover } from '#core/service-client/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import {
  answer,
  endless,
  json,
  resourcePath,
  serverOf,
  serverPath,
  stalled,
  startDocumentService,
  startForeignServer,
  type DocumentService,
} from './document-service.ts';
import { failureOf } from '../../failure-of.ts';
import { watchReach } from '../watch-reach.ts';

/** The target of a poisoned document: a server at another name of this machine. */
interface Trap {
  service: DocumentService;
  /** For example `http://localhost:PORT`. */
  foreign: string;
}

/** A poisoned document: title, the function that poisons it, the error code, and the field that the error names. */
type Row = [string, (trap: Trap) => void, ErrorCode, (string | null)?];

const inServer =
  (field: string, value: unknown) =>
  ({ service, foreign }: Trap): void => {
    const port = new URL(service.origin).port;
    const fill = (text: string): string =>
      text.replaceAll('ORIGIN', service.origin).replaceAll('PORT', port).replaceAll('FOREIGN', foreign);
    service.server[field] = typeof value === 'string' ? fill(value) : value;
  };

const inResource =
  (field: string, value: (origin: string) => unknown) =>
  ({ service }: Trap): void =>
    void (service.resource[field] = value(service.origin));

/** Both documents name the same issuer; only its spelling is wrong. */
const issuer =
  (spelled: (origin: string) => string) =>
  ({ service }: Trap): void => {
    service.resource['authorization_servers'] = [spelled(service.origin)];
    service.server['issuer'] = spelled(service.origin);
  };

const documentText =
  (path: string, text: (service: DocumentService) => string) =>
  ({ service }: Trap): void =>
    service.serve(path, answer(text(service)));

/** Addresses that the app would open in the browser or send a secret to. */
const addresses: string[] = [
  'https://evil.example/authorize',
  'http://evil.example/authorize',
  'FOREIGN/authorize',
  '//evil.example/authorize',
  '/authorize',
  '',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'file:///etc/passwd',
  'data:text/html,hello',
  'smb://evil.example/share',
  'ms-msdt:/id',
  'ftp://127.0.0.1/',
  'blob:ORIGIN/1',
  'view-source:ORIGIN/',
  'http:/127.0.0.1:PORT/',
  'http:127.0.0.1:PORT/',
  'http:///127.0.0.1:PORT/',
  'http://169.254.169.254/latest/meta-data/',
  'http://10.0.0.1/',
  'http://192.168.1.1/',
  'http://0.0.0.0:PORT/',
  'http://[::]:PORT/',
  'http://[::1]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[fe80::1]:PORT/',
  'http://0x7f.1:PORT/',
  'http://0x7f000001:PORT/',
  'http://2130706433:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://127.1:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://localhost.:PORT/',
  'http://127.0.0.2:PORT/',
  'http://１２７.０.０.１:PORT/',
  'http://127.0.0.%31:PORT/',
  'http://127.0.0.1%2eevil.example/',
  'http://user@127.0.0.1:PORT/',
  'http://user:@127.0.0.1:PORT/',
  'http://@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT@evil.example/',
  'http://127.0.0.1:PORT\\@evil.example/',
  'http:\\\\127.0.0.1:PORT\\',
  'ORIGIN/authorize#fragment',
  'ORIGIN/authorize#',
  'ORIGIN/authorize\r\nHost: evil.example',
  'ORIGIN/auth\norize',
  'ORIGIN/auth\torize',
  ' ORIGIN/authorize',
  'ORIGIN/authorize ',
  'ORIGIN/\u0000authorize',
  'ORIGIN/\u202Eezirohtua',
  'ORIGIN/\u200Bauthorize',
  'ORIGIN/"><script>',
  'http://127.0.0.1:0/',
  'http://127.0.0.1:99999/',
  'http://127.0.0.1:/',
  `ORIGIN/${'a'.repeat(2_000)}`,
];

const noTexts: unknown[] = [null, true, 7, [], ['https://evil.example/'], { href: 'https://evil.example/' }];

const endpoints = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
];

const rows: Row[] = [
  ...addresses.map((address, index): Row => {
    // The field rotates, so that every endpoint is checked.
    const field = endpoints[index % endpoints.length] ?? '';
    return [
      `${field} ${JSON.stringify(address.slice(0, 60))}`,
      inServer(field, address),
      'address_refused',
      field,
    ];
  }),
  ...endpoints.map((field): Row => [
    `${field} on another host`,
    inServer(field, 'FOREIGN/endpoint'),
    'address_refused',
    field,
  ]),
  ...noTexts.map((value): Row => [
    `token_endpoint ${JSON.stringify(value)}`,
    inServer('token_endpoint', value),
    'address_refused',
    'token_endpoint',
  ]),
  [
    'no authorization_endpoint',
    ({ service }) => delete service.server['authorization_endpoint'],
    'discovery_failed',
    'authorization_endpoint',
  ],
  [
    'no token_endpoint',
    ({ service }) => delete service.server['token_endpoint'],
    'discovery_failed',
    'token_endpoint',
  ],

  // The authorization server that the resource names.
  [
    'a server on another host',
    inResource('authorization_servers', () => ['https://evil.example']),
    'address_refused',
    'authorization_servers',
  ],
  [
    'a server under another name of this machine',
    ({ service, foreign }) => void (service.resource['authorization_servers'] = [foreign]),
    'address_refused',
    'authorization_servers',
  ],
  [
    'a server of another scheme',
    inResource('authorization_servers', () => ['file:///etc']),
    'address_refused',
    'authorization_servers',
  ],
  [
    'a server with a user',
    issuer((origin) => origin.replace('//', '//user@')),
    'address_refused',
    'authorization_servers',
  ],
  [
    'a server with letters of another script',
    issuer((origin) => `${origin}/tenаnt`),
    'address_refused',
    'authorization_servers',
  ],
  ['a server with a fragment', issuer((origin) => `${origin}#x`), 'address_refused', 'authorization_servers'],
  ['a server with a query', issuer((origin) => `${origin}?x=1`), 'discovery_failed', 'issuer'],
  ['no server', inResource('authorization_servers', () => []), 'discovery_failed', 'authorization_servers'],
  [
    'servers left out',
    inResource('authorization_servers', () => undefined),
    'discovery_failed',
    'authorization_servers',
  ],
  [
    'a server that is a text',
    inResource('authorization_servers', (origin) => origin),
    'discovery_failed',
    'authorization_servers',
  ],
  [
    'a server that is a number',
    inResource('authorization_servers', (origin) => [origin, 7]),
    'discovery_failed',
    'authorization_servers',
  ],

  // The issuer must be equal byte for byte.
  ['issuer with a slash', inServer('issuer', 'ORIGIN/'), 'discovery_failed', 'issuer'],
  [
    'issuer without the slash',
    inResource('authorization_servers', (origin) => [`${origin}/`]),
    'discovery_failed',
    'issuer',
  ],
  ['issuer in capitals', inServer('issuer', 'HTTP://127.0.0.1:PORT'), 'discovery_failed', 'issuer'],
  ['issuer on another port', inServer('issuer', 'http://127.0.0.1:1'), 'discovery_failed', 'issuer'],
  ['issuer with a path', inServer('issuer', 'ORIGIN/tenant'), 'discovery_failed', 'issuer'],
  ['issuer with a user', inServer('issuer', 'http://user@127.0.0.1:PORT'), 'discovery_failed', 'issuer'],
  ['issuer with a hidden character', inServer('issuer', 'ORIGIN\u200B'), 'discovery_failed', 'issuer'],
  ['issuer on another host', inServer('issuer', 'https://evil.example'), 'discovery_failed', 'issuer'],
  ['issuer in a list', inServer('issuer', ['ORIGIN']), 'discovery_failed', 'issuer'],
  ['no issuer', ({ service }) => delete service.server['issuer'], 'discovery_failed', 'issuer'],
  [
    'resource on another host',
    inResource('resource', () => 'https://evil.example/mcp'),
    'discovery_failed',
    'resource',
  ],
  [
    'resource with a slash',
    inResource('resource', (origin) => `${origin}/mcp/`),
    'discovery_failed',
    'resource',
  ],
  [
    'resource in capitals',
    inResource('resource', (origin) => `${origin}/MCP`),
    'discovery_failed',
    'resource',
  ],
  ['resource that is the origin', inResource('resource', (origin) => origin), 'discovery_failed', 'resource'],
  [
    'resource in a list',
    inResource('resource', (origin) => [`${origin}/mcp`]),
    'discovery_failed',
    'resource',
  ],
  ['no resource', inResource('resource', () => undefined), 'discovery_failed', 'resource'],

  // Metadata of another flow than the contract's.
  [
    'plain alone',
    inServer('code_challenge_methods_supported', ['plain']),
    'discovery_failed',
    'code_challenge_methods_supported',
  ],
  [
    's256 in small letters',
    inServer('code_challenge_methods_supported', ['s256']),
    'discovery_failed',
    'code_challenge_methods_supported',
  ],
  [
    'S256 as a text',
    inServer('code_challenge_methods_supported', 'S256'),
    'discovery_failed',
    'code_challenge_methods_supported',
  ],
  [
    'no word about PKCE',
    inServer('code_challenge_methods_supported', undefined),
    'discovery_failed',
    'code_challenge_methods_supported',
  ],
  [
    'tokens in the address',
    inServer('response_types_supported', ['token']),
    'discovery_failed',
    'response_types_supported',
  ],
  [
    'no response types',
    inServer('response_types_supported', undefined),
    'discovery_failed',
    'response_types_supported',
  ],
  [
    'passwords alone',
    inServer('grant_types_supported', ['password']),
    'discovery_failed',
    'grant_types_supported',
  ],
  [
    'confidential clients alone',
    inServer('token_endpoint_auth_methods_supported', ['client_secret_basic']),
    'discovery_failed',
    'token_endpoint_auth_methods_supported',
  ],
  [
    'iss by hearsay',
    inServer('authorization_response_iss_parameter_supported', 'true'),
    'discovery_failed',
    'authorization_response_iss_parameter_supported',
  ],
  [
    'two scopes in one',
    inResource('scopes_supported', () => ['svc:read svc:write']),
    'discovery_failed',
    'scopes_supported',
  ],
  [
    'scopes of the server in an object',
    inServer('scopes_supported', { 0: 'svc:read' }),
    'discovery_failed',
    'scopes_supported',
  ],

  // Faults of the text itself.
  [
    'a key twice',
    documentText(serverPath, ({ server }) =>
      JSON.stringify(server).replace('{', '{"token_endpoint":"https://evil.example/",'),
    ),
    'discovery_failed',
  ],
  [
    'a key twice, one of them escaped',
    documentText(serverPath, ({ server }) =>
      JSON.stringify(server).replace('{', '{"\\u0069ssuer":"https://evil.example/",'),
    ),
    'discovery_failed',
  ],
  [
    '__proto__',
    documentText(resourcePath, ({ resource }) =>
      JSON.stringify(resource).replace('{', '{"__proto__":{"x":1},'),
    ),
    'discovery_failed',
  ],
  [
    'deep nesting',
    documentText(resourcePath, () => `${'['.repeat(5_000)}${']'.repeat(5_000)}`),
    'discovery_failed',
  ],
  [
    'half a document',
    documentText(serverPath, ({ server }) => JSON.stringify(server).slice(0, -1)),
    'discovery_failed',
  ],
  ['a list', documentText(resourcePath, ({ resource }) => JSON.stringify([resource])), 'discovery_failed'],
  ['a text', documentText(serverPath, () => '"https://evil.example"'), 'discovery_failed'],
  ['nothing', documentText(resourcePath, () => ''), 'discovery_failed'],
  [
    'bytes that are no text',
    ({ service }) => service.serve(serverPath, answer(Buffer.from([0x7b, 0xff, 0x7d]))),
    'discovery_failed',
  ],
  [
    'a page',
    ({ service }) =>
      service.serve(resourcePath, answer('<html>', { headers: { 'content-type': 'text/html' } })),
    'discovery_failed',
  ],
  [
    'the right words under the wrong type',
    ({ service }) =>
      service.serve(
        serverPath,
        answer(JSON.stringify(service.server), { headers: { 'content-type': 'text/plain' } }),
      ),
    'discovery_failed',
  ],
  [
    'two megabytes',
    documentText(serverPath, ({ server }) => JSON.stringify({ ...server, x: 'x'.repeat(2 ** 21) })),
    'discovery_failed',
  ],
  [
    'two megabytes in two kilobytes',
    ({ service }) =>
      service.serve(
        resourcePath,
        answer(gzipSync(JSON.stringify({ ...service.resource, x: 'x'.repeat(2 ** 21) })), {
          headers: { 'content-encoding': 'gzip' },
        }),
      ),
    'discovery_failed',
  ],
  ['no end', ({ service }) => service.serve(resourcePath, endless), 'discovery_failed'],
  ['an end that never comes', ({ service }) => service.serve(serverPath, stalled), 'service_unreachable'],
  [
    'a connection that breaks',
    ({ service }) => service.serve(resourcePath, (response) => response.destroy()),
    'service_unreachable',
  ],

  // Faults of the status.
  ...[301, 302, 303, 307, 308].map((status): Row => [
    `a redirect (${status}) to another host`,
    ({ service, foreign }) =>
      service.serve(resourcePath, answer('', { status, headers: { location: `${foreign}/mcp` } })),
    'address_refused',
  ]),
  [
    'a redirect of the second document',
    ({ service, foreign }) =>
      service.serve(serverPath, answer('', { status: 302, headers: { location: foreign } })),
    'address_refused',
  ],
  [
    'a redirect on the same host',
    ({ service }) =>
      service.serve(serverPath, answer('', { status: 307, headers: { location: '/elsewhere' } })),
    'address_refused',
  ],
  [
    'a redirect without an address',
    ({ service }) => service.serve(serverPath, answer('', { status: 302 })),
    'address_refused',
  ],
  [
    'a document for those who signed in',
    ({ service }) => service.serve(resourcePath, answer('{}', { status: 401 })),
    'discovery_failed',
  ],
  [
    'a document that is said to be new',
    ({ service }) => service.serve(serverPath, answer(JSON.stringify(service.server), { status: 201 })),
    'discovery_failed',
  ],
  [
    'no content',
    ({ service }) => service.serve(serverPath, (response) => void response.writeHead(204).end()),
    'discovery_failed',
  ],
  [
    'a host that is another one',
    ({ service }) => service.serve(resourcePath, answer('{}', { status: 421 })),
    'wrong_host',
  ],
  [
    'too many questions',
    ({ service }) => service.serve(resourcePath, answer('{}', { status: 429 })),
    'rate_limited',
  ],
  [
    'a service that is not ready',
    ({ service }) => service.serve(serverPath, answer('{}', { status: 503 })),
    'service_unavailable',
  ],
  [
    'a service that failed',
    ({ service }) => service.serve(serverPath, answer('{}', { status: 500 })),
    'service_failed',
  ],
];

test('the table contains at least forty documents without duplicates', () => {
  expect(rows.length).toBeGreaterThan(40);
  expect(new Set(rows.map(([what]) => what)).size).toBe(rows.length);
});

test.each(rows)(
  '%s: no other server is contacted, no browser opens and no sign-in starts',
  async (_, poison, code, field) => {
    const service = await startDocumentService();
    const foreign = await startForeignServer();
    poison({ service, foreign: `http://localhost:${foreign.port}` });
    const reach = watchReach();
    const names: string[] = [];

    const failure = await failureOf(
      discover({
        mcpUrl: service.origin,
        policy: createUrlPolicy({ mcpUrl: service.origin }),
        // A short timeout is used only if the answer is expected to come too late.
        timeoutMs: code === 'service_unreachable' ? 400 : 20_000,
        lookup: async (name) => {
          names.push(name);
          return ['93.184.216.34'];
        },
      }),
    );

    expect(failure.code).toBe(code);
    if (field !== undefined) expect(failure.data['field']).toBe(field);
    expect(inertText(failure.message)).toBe(failure.message);
    expect(failure.message.length).toBeLessThan(1_000);
    expect(foreign.received).toEqual([]);
    expect(names).toEqual([]);
    expect(reach.connections.filter((target) => `http://${target}` !== service.origin)).toEqual([]);
    expect(reach.programs).toEqual([]);
    const documents = [resourcePath, serverPath];
    expect(service.paths.filter((path) => !documents.includes(path))).toEqual([]);
  },
);

test('a resource that announces its document elsewhere is not followed', async () => {
  const service = await startDocumentService();
  const foreign = await startForeignServer();
  const reach = watchReach();
  const policy = createUrlPolicy({ mcpUrl: service.origin });
  const announced = [
    `http://127.0.0.1:${foreign.port}${resourcePath}`,
    `http://localhost:${foreign.port}/`,
    'https://evil.example/',
    'javascript:alert(1)',
    `${service.origin}@evil.example/`,
    resourcePath,
  ];
  for (const resourceMetadataUrl of announced) {
    const failure = await failureOf(
      discover({ mcpUrl: service.origin, policy, timeoutMs: 400, resourceMetadataUrl }),
    );
    expect([failure.code, failure.data['field']]).toEqual(['address_refused', 'resource_metadata']);
  }
  expect([service.paths, foreign.received, reach.connections]).toEqual([[], [], []]);
});

test('unneeded addresses are neither fetched nor passed on', async () => {
  const service = await startDocumentService();
  const foreign = await startForeignServer();
  const evil = `http://localhost:${foreign.port}/`;
  Object.assign(service.server, {
    jwks_uri: evil,
    userinfo_endpoint: evil,
    introspection_endpoint: evil,
    pushed_authorization_request_endpoint: evil,
    mtls_endpoint_aliases: { token_endpoint: evil },
    service_documentation: evil,
    op_policy_uri: 'javascript:alert(1)',
    signed_metadata: 'e30.e30.',
  });
  Object.assign(service.resource, {
    jwks_uri: evil,
    resource_documentation: evil,
    resource_policy_uri: evil,
  });
  const reach = watchReach();
  const policy = createUrlPolicy({ mcpUrl: service.origin });
  const { server } = await discover({ mcpUrl: service.origin, policy, timeoutMs: 20_000 });
  expect(server).toEqual(serverOf(service.origin));
  expect(foreign.received).toEqual([]);
  expect(reach.connections.filter((target) => `http://${target}` !== service.origin)).toEqual([]);
});

test('a poisoned server next to a valid server is skipped without a request', async () => {
  const service = await startDocumentService();
  const foreign = await startForeignServer();
  const evil = `http://localhost:${foreign.port}`;
  service.resource['authorization_servers'] = [evil, `${service.origin}/poisoned`, service.origin];
  service.serve(
    `${serverPath}/poisoned`,
    json({ ...serverOf(`${service.origin}/poisoned`), token_endpoint: evil }),
  );
  const policy = createUrlPolicy({ mcpUrl: service.origin });
  const { server } = await discover({ mcpUrl: service.origin, policy, timeoutMs: 20_000 });
  expect(server).toEqual(serverOf(service.origin));
  expect(foreign.received).toEqual([]);
});
