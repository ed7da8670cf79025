import type { Parameters } from '../http/parameters.ts';
import type { ServerFacts } from './facts.ts';
import { refuse } from './refuse.ts';

interface Asked {
  parameters: Parameters;
}

/** `resource` is mandatory and equals the one that is served here, byte for byte (contract §5.3, RFC 8707). */
export function checkResource(asked: Asked, server: ServerFacts): void {
  if (!asked.parameters.values.has('resource')) refuse('oauth_invalid_target', '`resource` is missing.');
  checkNamedResource(asked, server);
}

/** The same, where it may be left out. */
export function checkNamedResource({ parameters }: Asked, { resource }: ServerFacts): void {
  if ((parameters.values.get('resource') ?? resource) !== resource) refuse('oauth_invalid_target');
}
