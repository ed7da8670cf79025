import { refuse } from '../refuse.ts';
import type { AuthorizationCheck } from './asked.ts';

/** PKCE with S256 and nothing else (contract §5.3, RFC 7636 §4.3). */
export const checkCodeChallenge: AuthorizationCheck = ({ parameters: { values } }) => {
  const challenge = values.get('code_challenge');
  if (challenge === undefined) refuse('oauth_invalid_request', '`code_challenge` is missing.');
  if (values.get('code_challenge_method') !== 'S256') {
    refuse('oauth_invalid_request', '`code_challenge_method` must be S256.');
  }
  if (!/^[\w.~-]{43,128}$/.test(challenge)) {
    refuse('oauth_invalid_request', '`code_challenge` is not well-formed.');
  }
};
