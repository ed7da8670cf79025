import type { Parameters } from '../http/parameters.ts';
import { refuse } from './refuse.ts';

/** No parameter may come twice (RFC 6749 §3.1, §3.2): two readers would take different ones. */
export function rejectRepeated({ parameters }: { parameters: Parameters }): void {
  if (parameters.repeated.size > 0) refuse('oauth_invalid_request', 'A parameter was sent more than once.');
}
