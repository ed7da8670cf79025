import type { AuthorizationServer } from 'oauth4webapi';
import { type DocumentFields, type DocumentReader, fieldsOf, readDocument, unusable } from './documents.ts';
import type { UrlPolicy } from '../url-policy.ts';

const which = 'authorization-server';
const oauth = '/.well-known/oauth-authorization-server';
const openId = '/.well-known/openid-configuration';

/**
 * Reads and checks the document of the authorization server with this identifier: at the place of RFC 8414 §3.1, else at those
 * of OpenID Connect Discovery (MCP 2025-11-25, "Authorization Server Metadata Discovery"). Null where there is none.
 */
export async function findServer(
  issuer: string,
  policy: UrlPolicy,
  reader: DocumentReader,
): Promise<AuthorizationServer | null> {
  const url = checkIssuer(issuer, policy, 'authorization_servers');
  for (const place of placesOf(url)) {
    const document = await readDocument(which, place, reader);
    if (document === null) continue;
    const fields = fieldsOf(which, document);
    if (fields.text('issuer') !== issuer) {
      throw unusable(which, 'issuer', 'is not exactly the one that the protected resource names');
    }
    return checkServer(fields, policy);
  }
  return null;
}

/**
 * Without a document about the resource (MCP 2025-03-26): the one at the origin of the tools. Its issuer is not named, so it
 * must be of that origin. Null where there is none.
 */
export async function findServerAtOrigin(
  origin: string,
  policy: UrlPolicy,
  reader: DocumentReader,
): Promise<AuthorizationServer | null> {
  const document = await readDocument(which, `${origin}${oauth}`, reader);
  if (document === null) return null;
  const fields = fieldsOf(which, document);
  if (checkIssuer(fields.text('issuer'), policy, 'issuer').origin !== new URL(origin).origin) {
    throw unusable(which, 'issuer', 'is of another origin than the tools');
  }
  return checkServer(fields, policy);
}

/** An issuer has no query and no fragment (RFC 8414 §2). */
function checkIssuer(issuer: string, policy: UrlPolicy, field: string): URL {
  const url = policy.check(issuer, field);
  if (issuer.includes('?')) throw unusable(which, 'issuer', 'has a query');
  return url;
}

function placesOf({ origin, pathname }: URL): string[] {
  const path = pathname.replace(/\/$/, '');
  const inserted = [`${origin}${oauth}${path}`, `${origin}${openId}${path}`];
  return path === '' ? inserted : [...inserted, `${origin}${path}${openId}`];
}

/** Every check of the document, in order; what nothing here uses is left out of the result, and never fetched. */
function checkServer(fields: DocumentFields, policy: UrlPolicy): AuthorizationServer {
  const endpoint = (field: string): string => {
    if (fields.value(field) === undefined) throw unusable(which, field, 'is missing');
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
    ...lists(fields),
    ...issFlag(fields),
  };
  for (const check of checks) check(fields);
  return server;
}

/** The parts that the flow of contract §5.3 needs, each in a field of its own. */
const checks: readonly ((fields: DocumentFields) => void)[] = [
  // PKCE: S256 or nothing; a server that does not say so may ignore the challenge (RFC 9700 §2.1.1).
  mustName('code_challenge_methods_supported', 'S256', { ifPresent: false }),
  mustName('response_types_supported', 'code', { ifPresent: false }),
  mustName('grant_types_supported', 'authorization_code', { ifPresent: true }),
  // Client type: public.
  mustName('token_endpoint_auth_methods_supported', 'none', { ifPresent: true }),
];

function mustName(field: string, value: string, { ifPresent }: { ifPresent: boolean }) {
  return (fields: DocumentFields): void => {
    if (ifPresent && !fields.has(field)) return;
    if (!fields.texts(field)?.includes(value)) throw unusable(which, field, `does not name ${value}`);
  };
}

/** Fields that are lists of plain words. */
const wordFields = [
  'response_types_supported',
  'grant_types_supported',
  'code_challenge_methods_supported',
  'token_endpoint_auth_methods_supported',
] as const;

type ListField = (typeof wordFields)[number] | 'scopes_supported';

function lists(fields: DocumentFields): Partial<Record<ListField, string[]>> {
  const found: [ListField, readonly string[] | null][] = wordFields.map((name) => [name, fields.texts(name)]);
  found.push(['scopes_supported', fields.scopes('scopes_supported')]);
  return Object.fromEntries(found.filter(([, list]) => list !== null));
}

/** Says if callbacks carry `iss` (RFC 9207 §3). */
function issFlag(
  fields: DocumentFields,
): Pick<AuthorizationServer, 'authorization_response_iss_parameter_supported'> {
  const flag = fields.flag('authorization_response_iss_parameter_supported');
  return flag === undefined ? {} : { authorization_response_iss_parameter_supported: flag };
}
