import { refuse } from '../refuse.ts';
import type { AuthorizationCheck } from './asked.ts';

/** The only response is a code (OAuth 2.1 §4.1.1). */
export const checkResponseType: AuthorizationCheck = ({ parameters: { values } }) => {
  const type = values.get('response_type');
  if (type === undefined) refuse('oauth_invalid_request', '`response_type` is missing.');
  if (type !== 'code') refuse('oauth_unsupported_response_type');
};

/** It goes into the query of the redirect URI. */
export const checkResponseMode: AuthorizationCheck = ({ parameters: { values } }) => {
  if ((values.get('response_mode') ?? 'query') !== 'query') {
    refuse('oauth_invalid_request', 'Only `response_mode=query` is offered.');
  }
};
