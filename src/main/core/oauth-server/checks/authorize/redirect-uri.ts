import { refuse } from '../refuse.ts';
import type { AuthorizationCheck } from './asked.ts';

/** The redirect URI is one of the registered ones, character for character (contract §5.3, RFC 9700 §2.1). */
export const checkRedirectUri: AuthorizationCheck = ({ parameters, client }) => {
  const { values, repeated } = parameters;
  const uri = values.get('redirect_uri');
  if (uri === undefined || repeated.has('redirect_uri')) {
    refuse('oauth_invalid_request', '`redirect_uri` must be sent once.');
  }
  if (client?.redirectUris.includes(uri) !== true) {
    refuse('oauth_invalid_redirect_uri', 'The redirect URI is not registered for this client.');
  }
};
