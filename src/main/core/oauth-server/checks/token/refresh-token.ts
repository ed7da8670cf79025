import { refuse } from '../refuse.ts';
import type { Check, ClientRequest } from '../facts.ts';
import { tokenForm } from './code.ts';

/** The refresh token itself (RFC 6749 §6). */
export const checkRefreshToken: Check<ClientRequest> = ({ parameters: { values } }) => {
  const token = values.get('refresh_token');
  if (token === undefined) refuse('oauth_invalid_request', '`refresh_token` is missing.');
  if (!tokenForm.test(token)) refuse('oauth_invalid_grant');
};
