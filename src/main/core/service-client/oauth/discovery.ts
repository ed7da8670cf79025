import type { AuthorizationServer } from 'oauth4webapi';
import { AppError, parseStrictJson } from '#shared/errors/index.ts';
import { type JsonObject, isJsonObject } from '#shared/lib/json/json-value.ts';
import type { Lookup } from '#system/http/public-address.ts';
import { type GuardedFetch, type UrlPolicy, createGuardedFetch, statusRefusal } from './oauth-requests.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

export interface Discovery {
  /** `{mcp_url}/mcp`, which the metadata must repeat byte for byte. */
  resource: string;
  scopesSupported: readonly string[] | null;
  server: AuthorizationServer;
}

export interface DiscoverOptions {
  mcpUrl: string;
  policy: UrlPolicy;
  timeoutMs: number;
  signal?: AbortSignal;
  resourceMetadataUrl?: string;
  onDocument?(which: DocumentName, read: DocumentRead): void;
  lookup?: Lookup;
}

/**
 * Reads the metadata of the resource and of its first valid authorization server. Fails with `discovery_failed`
 * (`data.document`, `data.field`), `address_refused` (`data.field`), `service_unreachable`, `wrong_host`, `rate_limited`,
 * `service_unavailable` or `service_failed`, or with the signal's reason.
 */
export async function discover(options: DiscoverOptions): Promise<Discovery> {
  const { mcpUrl, policy, resourceMetadataUrl, signal } = options;
  const reader: DocumentReader = { ...options, fetch: createGuardedFetch(options) };
  const found = await findResource({ ...reader, mcpUrl, policy, resourceMetadataUrl });
  const resource = `${mcpUrl}/mcp`;
  if (found === null) {
    const server = await findServerAtOrigin(mcpUrl, policy, reader);
    if (server === null) throw discoveryError('protected-resource', null, 'there is none');
    return { resource, scopesSupported: null, server };
  }
  const { authorizationServers, scopesSupported } = found;
  const failures: AppError[] = [];
  for (const issuer of authorizationServers) {
    try {
      const server = await findServer(issuer, policy, reader);
      if (server !== null) return { resource, scopesSupported, server };
      failures.push(discoveryError('authorization-server', null, 'there is none'));
    } catch (failure) {
      signal?.throwIfAborted();
      if (!(failure instanceof AppError)) throw failure;
      failures.push(failure);
    }
  }
  throw failures[0];
}

const resourceDocument = 'protected-resource';
const resourceMetadataPath = '/.well-known/oauth-protected-resource';

const maxServers = 4;

interface ProtectedResource {
  authorizationServers: readonly string[];
  scopesSupported: readonly string[] | null;
}

interface FindResourceOptions extends DocumentReader {
  mcpUrl: string;
  policy: UrlPolicy;
  /** The address from a 401 of the resource (RFC 9728 §5.1). If it is given, no other place is searched. */
  resourceMetadataUrl?: string | undefined;
}

/**
 * Reads the document at the address of the 401, otherwise at the well-known address of the path, otherwise at
 * that of the origin (MCP 2025-11-25, "Protected Resource Metadata Discovery Requirements"). Null if none exists.
 */
async function findResource(options: FindResourceOptions): Promise<ProtectedResource | null> {
  const { mcpUrl, resourceMetadataUrl } = options;
  const resource = `${mcpUrl}/mcp`;
  if (resourceMetadataUrl !== undefined) {
    const document = await readDocument(
      resourceDocument,
      checkAnnouncedUrl(resourceMetadataUrl, options),
      options,
    );
    if (document === null) throw discoveryError(resourceDocument, null, 'it is not where the service says');
    return checkResource(document, [resource]);
  }
  const pathDocument = await readDocument(resourceDocument, `${mcpUrl}${resourceMetadataPath}/mcp`, options);
  if (pathDocument !== null) return checkResource(pathDocument, [resource]);
  const originDocument = await readDocument(resourceDocument, `${mcpUrl}${resourceMetadataPath}`, options);
  // The document at the origin may also describe the origin itself (RFC 9728 §3.3).
  return originDocument === null ? null : checkResource(originDocument, [resource, mcpUrl]);
}

/** Accepts an announced address only on the resource's own origin. */
function checkAnnouncedUrl(address: string, { mcpUrl, policy }: FindResourceOptions): string {
  const field = 'resource_metadata';
  const url = policy.check(address, field);
  if (url.origin === new URL(mcpUrl).origin) return url.href;
  throw new AppError('address_refused', {
    message: sentence`The service names another origin than its own in ${ownWords(field)}. Countersign does not open it.`,
    data: { field, sent: false },
  });
}

/** The document must describe the requested resource, byte for byte (RFC 9728 §3.3). */
function checkResource(document: JsonObject, expected: readonly string[]): ProtectedResource {
  const fields = fieldsOf(resourceDocument, document);
  if (!expected.includes(fields.text('resource'))) {
    throw discoveryError(
      resourceDocument,
      'resource',
      sentence`is not ${expected[0] ?? ''}, the address of the tools`,
    );
  }
  const servers = fields.texts('authorization_servers') ?? [];
  if (servers.length === 0) throw discoveryError(resourceDocument, 'authorization_servers', 'names none');
  return {
    authorizationServers: servers.slice(0, maxServers),
    scopesSupported: fields.scopes('scopes_supported'),
  };
}

const serverDocument = 'authorization-server';
const oauthMetadataPath = '/.well-known/oauth-authorization-server';
const openIdMetadataPath = '/.well-known/openid-configuration';

/**
 * Reads the document at the address of RFC 8414 §3.1, otherwise at those of OpenID Connect
 * Discovery (MCP 2025-11-25, "Authorization Server Metadata Discovery"). Null if none exists.
 */
async function findServer(
  issuer: string,
  policy: UrlPolicy,
  reader: DocumentReader,
): Promise<AuthorizationServer | null> {
  const url = checkIssuer(issuer, policy, 'authorization_servers');
  for (const place of metadataUrls(url)) {
    const document = await readDocument(serverDocument, place, reader);
    if (document === null) continue;
    const fields = fieldsOf(serverDocument, document);
    if (fields.text('issuer') !== issuer) {
      throw discoveryError(
        serverDocument,
        'issuer',
        'is not exactly the one that the protected resource names',
      );
    }
    return checkServer(fields, policy);
  }
  return null;
}

/** For a resource without metadata (MCP 2025-03-26). No document names the issuer, so it must have the origin of the tools. */
async function findServerAtOrigin(
  origin: string,
  policy: UrlPolicy,
  reader: DocumentReader,
): Promise<AuthorizationServer | null> {
  const document = await readDocument(serverDocument, `${origin}${oauthMetadataPath}`, reader);
  if (document === null) return null;
  const fields = fieldsOf(serverDocument, document);
  if (checkIssuer(fields.text('issuer'), policy, 'issuer').origin !== new URL(origin).origin) {
    throw discoveryError(serverDocument, 'issuer', 'is of another origin than the tools');
  }
  return checkServer(fields, policy);
}

function checkIssuer(issuer: string, policy: UrlPolicy, field: string): URL {
  const url = policy.check(issuer, field);
  if (issuer.includes('?')) throw discoveryError(serverDocument, 'issuer', 'has a query');
  return url;
}

function metadataUrls({ origin, pathname }: URL): string[] {
  const path = pathname.replace(/\/$/, '');
  const inserted = [`${origin}${oauthMetadataPath}${path}`, `${origin}${openIdMetadataPath}${path}`];
  return path === '' ? inserted : [...inserted, `${origin}${path}${openIdMetadataPath}`];
}

function checkServer(fields: DocumentFields, policy: UrlPolicy): AuthorizationServer {
  const endpoint = (field: string): string => {
    if (fields.value(field) === undefined) throw discoveryError(serverDocument, field, 'is missing');
    return policy.check(fields.value(field), field).href;
  };
  const optional = (field: string): Record<string, string> =>
    fields.has(field) ? { [field]: endpoint(field) } : {};
  const server = {
    issuer: fields.text('issuer'),
    authorization_endpoint: endpoint('authorization_endpoint'),
    token_endpoint: endpoint('token_endpoint'),
    ...optional('registration_endpoint'),
    ...optional('revocation_endpoint'),
    ...readLists(fields),
    ...readIssFlag(fields),
  };
  for (const check of capabilityChecks) check(fields);
  return server;
}

/** The capabilities that the flow of contract §5.3 needs. */
const capabilityChecks: readonly ((fields: DocumentFields) => void)[] = [
  // Requires PKCE with S256: a server that does not list it may ignore the challenge (RFC 9700 §2.1.1).
  requireValue('code_challenge_methods_supported', 'S256', { ifPresent: false }),
  requireValue('response_types_supported', 'code', { ifPresent: false }),
  requireValue('grant_types_supported', 'authorization_code', { ifPresent: true }),
  requireValue('token_endpoint_auth_methods_supported', 'none', { ifPresent: true }),
];

function requireValue(field: string, value: string, { ifPresent }: { ifPresent: boolean }) {
  return (fields: DocumentFields): void => {
    if (ifPresent && !fields.has(field)) return;
    if (!fields.texts(field)?.includes(value))
      throw discoveryError(serverDocument, field, `does not name ${value}`);
  };
}

const textListFields = [
  'response_types_supported',
  'grant_types_supported',
  'code_challenge_methods_supported',
  'token_endpoint_auth_methods_supported',
] as const;

type ListField = (typeof textListFields)[number] | 'scopes_supported';

function readLists(fields: DocumentFields): Partial<Record<ListField, string[]>> {
  const found: [ListField, readonly string[] | null][] = textListFields.map((name) => [
    name,
    fields.texts(name),
  ]);
  found.push(['scopes_supported', fields.scopes('scopes_supported')]);
  return Object.fromEntries(found.filter(([, list]) => list !== null));
}

function readIssFlag(
  fields: DocumentFields,
): Pick<AuthorizationServer, 'authorization_response_iss_parameter_supported'> {
  const flag = fields.flag('authorization_response_iss_parameter_supported');
  return flag === undefined ? {} : { authorization_response_iss_parameter_supported: flag };
}

type DocumentName = 'protected-resource' | 'authorization-server';

export interface DocumentRead {
  url: string;
  status: number;
  tookMs: number;
}

interface DocumentReader {
  fetch: GuardedFetch;
  onDocument?(which: DocumentName, read: DocumentRead): void;
}

const absentStatuses = new Set([404, 405, 410]);

/** Parses strictly. Null if there is no document at this address. Fails with `discovery_failed`, or as the guarded fetch does. */
async function readDocument(
  which: DocumentName,
  url: string,
  { fetch, onDocument }: DocumentReader,
): Promise<JsonObject | null> {
  const startedAt = performance.now();
  const answer = await fetch(url, { method: 'GET', headers: { accept: 'application/json' } });
  const { status, headers } = answer;
  const tookMs = performance.now() - startedAt;
  onDocument?.(which, { url, status, tookMs });
  if (absentStatuses.has(status)) return null;
  const refusal = statusRefusal(answer, new URL(url).host);
  if (refusal !== null) throw refusal;
  if (status !== 200) throw discoveryError(which, null, `it was answered with the status ${status}`);
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw discoveryError(which, null, 'it is not sent as application/json');
  return parse(which, await answer.text());
}

const titles: Record<DocumentName, string> = {
  'protected-resource': 'The document about the protected resource',
  'authorization-server': 'The document about the authorization server',
};

/** Creates `discovery_failed` with document and field in message and `data`. A null `field` means the whole document. */
function discoveryError(
  document: DocumentName,
  field: string | null,
  because: string,
  cause?: unknown,
): AppError {
  return new AppError('discovery_failed', {
    message: sentence`${ownWords(titles[document])} cannot be used: ${ownWords(field === null ? '' : `${field} `)}${ownWords(because)}.`,
    data: { document, field },
    cause,
  });
}

function parse(which: DocumentName, text: string): JsonObject {
  if (text === '') throw discoveryError(which, null, 'it is empty, too large or not UTF-8');
  let value;
  try {
    value = parseStrictJson(text);
  } catch (cause) {
    const what = cause instanceof AppError ? cause.message : '';
    throw discoveryError(which, null, `it is no strict JSON (${what})`, cause);
  }
  if (!isJsonObject(value)) throw discoveryError(which, null, 'it is no JSON object');
  return value;
}

/** Reads the fields of a document. A wrong field fails with `discovery_failed`, naming the field. */
interface DocumentFields {
  text(field: string): string;
  /** Null if the field is missing or null, because some servers write null for an omitted field. */
  texts(field: string): readonly string[] | null;
  /** Like `texts`, and each text must be a single scope (RFC 6749 §3.3). */
  scopes(field: string): readonly string[] | null;
  flag(field: string): boolean | undefined;
  has(field: string): boolean;
  value(field: string): unknown;
}

const oneScope = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

function fieldsOf(which: DocumentName, document: JsonObject): DocumentFields {
  const value = (field: string): unknown => (Object.hasOwn(document, field) ? document[field] : undefined);
  const texts = (field: string): readonly string[] | null => {
    const found = value(field) ?? null;
    if (found === null) return null;
    if (!isTexts(found)) throw discoveryError(which, field, 'is not a list of texts');
    return found;
  };
  return {
    text(field) {
      const found = value(field);
      if (typeof found !== 'string') throw discoveryError(which, field, 'is not a text');
      return found;
    },
    texts,
    scopes(field) {
      const found = texts(field);
      if (found?.some((scope) => !oneScope.test(scope)))
        throw discoveryError(which, field, 'is not a list of scopes');
      return found;
    },
    flag(field) {
      const found = value(field) ?? undefined;
      if (found !== undefined && typeof found !== 'boolean') {
        throw discoveryError(which, field, 'is neither true nor false');
      }
      return found;
    },
    has: (field) => (value(field) ?? null) !== null,
    value,
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
