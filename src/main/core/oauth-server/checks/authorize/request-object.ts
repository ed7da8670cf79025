import { refuse } from '../refuse.ts';
import type { AuthorizationCheck } from './asked.ts';

/** Parameters inside a JWT, or fetched from an address, are not read (RFC 9101). */
export const rejectRequestObject: AuthorizationCheck = ({ parameters: { values } }) => {
  if (values.has('request') || values.has('request_uri')) refuse('oauth_request_not_supported');
};
