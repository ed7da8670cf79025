import { refuse } from '../refuse.ts';
import type { Check, ClientRequest } from '../facts.ts';

/** What the library makes: longer ones are not even hashed. */
export const tokenForm = /^[\w-]{20,128}$/;

/** The code and the redirect URI that it was sent to (RFC 6749 §4.1.3). */
export const checkCode: Check<ClientRequest> = ({ parameters: { values } }) => {
  const code = values.get('code');
  if (code === undefined) refuse('oauth_invalid_request', '`code` is missing.');
  if (!values.has('redirect_uri')) refuse('oauth_invalid_request', '`redirect_uri` is missing.');
  if (!tokenForm.test(code)) refuse('oauth_invalid_grant');
};
