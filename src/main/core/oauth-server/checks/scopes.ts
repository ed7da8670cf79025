import type { Parameters } from '../http/parameters.ts';
import type { ServerFacts } from './facts.ts';
import { refuse } from './refuse.ts';

/** Scopes are words of printable ASCII, one space between them (RFC 6749 §3.3); only known ones are taken. */
export function checkScope({ parameters }: { parameters: Parameters }, { scopes }: ServerFacts): void {
  const asked = parameters.values.get('scope');
  if (asked === undefined) return;
  const unknown = asked.split(' ').some((scope) => !scopes.includes(scope));
  if (unknown) refuse('oauth_invalid_scope', `Known scopes are: ${scopes.join(' ')}.`);
}
