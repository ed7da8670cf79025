import type { Client } from '../../clients.ts';
import { hasOwnScheme, ownSchemeRemedy } from '../own-scheme.ts';
import { refuse } from '../refuse.ts';
import type { AuthorizationCheck } from './asked.ts';

/**
 * The redirect URI is one of the registered ones, character for character (contract §5.3, RFC 9700 §2.1). Only the port of
 * a native app's loopback address may be another one: it takes a port that is free when it asks (RFC 8252 §7.3).
 */
export const checkRedirectUri: AuthorizationCheck = ({ parameters, client }, { nativeApps }) => {
  const { values, repeated } = parameters;
  const uri = values.get('redirect_uri');
  if (uri === undefined || repeated.has('redirect_uri')) {
    refuse('oauth_invalid_request', '`redirect_uri` must be sent once.');
  }
  if (client !== null && isRegistered(uri, client)) return;
  const hasRemedy = nativeApps && hasOwnScheme(uri);
  const fault = 'The redirect URI is not registered for this client.';
  refuse('oauth_invalid_redirect_uri', hasRemedy ? `${fault} ${ownSchemeRemedy}` : fault);
};

function isRegistered(uri: string, { redirectUris, anyLoopbackPort }: Client): boolean {
  if (redirectUris.includes(uri)) return true;
  const portless = anyLoopbackPort ? withoutPort(uri) : null;
  return portless !== null && redirectUris.some((registered) => withoutPort(registered) === portless);
}

const onLoopback = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::[1-9]\d{0,4})?((?:[/?].*)?)$/;

/** An http address on the loopback without its port; null for any other. */
function withoutPort(uri: string): string | null {
  const [, host, rest] = onLoopback.exec(uri) ?? [];
  return host === undefined || rest === undefined || URL.parse(uri) === null ? null : `${host}${rest}`;
}
