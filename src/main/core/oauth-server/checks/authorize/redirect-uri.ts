import { hasOwnScheme, ownSchemeRemedy } from '../own-scheme.ts';
import { refuse } from '../refuse.ts';
import type { AuthorizationCheck } from './asked.ts';

/** The redirect URI is one of the registered ones, character for character (contract §5.3, RFC 9700 §2.1). */
export const checkRedirectUri: AuthorizationCheck = ({ parameters, client }, { nativeApps }) => {
  const { values, repeated } = parameters;
  const uri = values.get('redirect_uri');
  if (uri === undefined || repeated.has('redirect_uri')) {
    refuse('oauth_invalid_request', '`redirect_uri` must be sent once.');
  }
  if (client?.redirectUris.includes(uri) === true) return;
  const hasRemedy = nativeApps && hasOwnScheme(uri);
  const fault = 'The redirect URI is not registered for this client.';
  refuse('oauth_invalid_redirect_uri', hasRemedy ? `${fault} ${ownSchemeRemedy}` : fault);
};
