import type { IncomingMessage } from 'node:http';
import { headerValues } from '#core/platform/loopback/index.ts';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import type { Client } from '../client-metadata.ts';
import type { Parameters } from '../http/request.ts';
import { type OwnSentence, ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

/** The facts about the server that the checks use. */
export interface ServerFacts {
  resource: string;
  /** Every scope, in the order of the metadata. */
  scopes: readonly string[];
  /** The scopes of a request that names none. */
  defaultScopes: readonly string[];
  /** Programs of this machine register here (RFC 8252). */
  nativeApps: boolean;
  findClient(clientId: string): Promise<Client | null>;
}

/** A request of a client that is known. */
export interface ClientRequest {
  parameters: Parameters;
  client: Client;
}

/** Looks at one property of a request; throws an `AppError` to refuse. */
export type Check<ParsedRequest> = (asked: ParsedRequest, server: ServerFacts) => void;

/**
 * True if an address leads to this server: its port on this machine, by whatever name. An answer that is sent there would come back as
 * a request of this server's own pages.
 */
export function leadsToServer(
  { protocol, hostname, port }: URL,
  { resource }: Pick<ServerFacts, 'resource'>,
): boolean {
  const own = new URL(resource);
  return loopbackHosts.has(hostname) && portOf({ protocol, port }) === portOf(own);
}

/** Names of this machine that a redirect URI may have. */
export const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

function portOf({ protocol, port }: Pick<URL, 'protocol' | 'port'>): string {
  return port !== '' ? port : protocol === 'https:' ? '443' : '80';
}

/** Ends a check with a code of the catalogue, and with what is wrong in this case. */
export function refuse<const M extends string = never>(
  code: ErrorCode & `oauth_${string}`,
  message?: M & OwnSentence<M>,
): never {
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the compiler does not resolve the type of a constant here
  throw new AppError(code, message === undefined ? {} : { message: message as Sentence });
}

/**
 * Requires that a browser opened this address in a window of its own: no picture, frame or script of another page comes in, and
 * nothing is fetched ahead (Fetch Metadata). Programs, and browsers that are too old, say nothing of it.
 */
export function rejectEmbedded(request: IncomingMessage): void {
  const isWindow = headerValues(request, 'sec-fetch-dest').every((destination) => destination === 'document');
  if (!isWindow || headerValues(request, 'sec-purpose').length > 0) {
    refuse('oauth_invalid_request', 'Open this address in a browser window of its own.');
  }
}

/** No parameter may come twice (RFC 6749 §3.1, §3.2): two readers would take different ones. */
export function rejectRepeated({ parameters }: { parameters: Parameters }): void {
  if (parameters.repeated.size > 0) refuse('oauth_invalid_request', 'A parameter was sent more than once.');
}

interface ParsedRequest {
  parameters: Parameters;
}

/** `resource` is mandatory and equals the one that is served here, byte for byte (contract §5.3, RFC 8707). */
export function checkResource(asked: ParsedRequest, server: ServerFacts): void {
  if (!asked.parameters.values.has('resource')) refuse('oauth_invalid_target', '`resource` is missing.');
  checkNamedResource(asked, server);
}

/** The same, where it may be left out. */
export function checkNamedResource({ parameters }: ParsedRequest, { resource }: ServerFacts): void {
  if ((parameters.values.get('resource') ?? resource) !== resource) refuse('oauth_invalid_target');
}

/** Scopes are words of printable ASCII, one space between them (RFC 6749 §3.3); only known ones are taken. */
export function checkScope({ parameters }: { parameters: Parameters }, { scopes }: ServerFacts): void {
  const asked = parameters.values.get('scope');
  if (asked === undefined) return;
  const unknown = asked.split(' ').some((scope) => !scopes.includes(scope));
  if (unknown) refuse('oauth_invalid_scope', sentence`Known scopes are: ${ownWords(scopes.join(' '))}.`);
}

/** The remedy for a program that can be answered only at a scheme of its own (RFC 8252 §7.1). */
export const ownSchemeRemedy =
  'A program that is answered at a scheme of its own connects through mcp-remote.';

/** True if the scheme of an address belongs to a program, not to the web. */
export function hasOwnScheme(uri: unknown): boolean {
  return typeof uri === 'string' && /^(?!https?:)[a-z][a-z0-9+.-]*:/i.test(uri);
}
