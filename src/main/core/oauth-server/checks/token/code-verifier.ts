import { refuse } from '../refuse.ts';
import type { Check, ClientRequest } from '../facts.ts';

/** Whether it fits the challenge is found out with the code; here only its form (RFC 7636 §4.1). */
export const checkCodeVerifier: Check<ClientRequest> = ({ parameters: { values } }) => {
  const verifier = values.get('code_verifier');
  if (verifier === undefined) refuse('oauth_invalid_request', '`code_verifier` is missing.');
  if (!/^[\w.~-]{43,128}$/.test(verifier)) {
    refuse('oauth_invalid_request', '`code_verifier` is not well-formed.');
  }
};
