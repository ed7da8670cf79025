import type { JsonValue } from '#shared/lib/json/json-value.ts';
import type { Clock } from '../clock.ts';
import { credentialPatterns } from './credential-patterns.ts';
import { createLivingCredentials, type TokenRows } from './living-credentials.ts';
import { textsOf } from './texts.ts';

/** What a value holds that looks like a credential anywhere in it, in words; null where there is none. */
export type CredentialFinder = (value: JsonValue) => string | null;

/** Knows credentials by their shape, and the tokens of these rows by their hash. */
export function createCredentialFinder(rows: TokenRows, clock: Pick<Clock, 'nowMs'>): CredentialFinder {
  const livingIn = createLivingCredentials(rows, clock);
  return (value) => {
    const text = textsOf(value);
    return shapeIn(text) ?? livingIn(text);
  };
}

/** The first shape of a credential in the text, in words; null when there is none. */
export function shapeIn(text: string): string | null {
  const found = credentialPatterns.find(({ shape, confirm }) =>
    confirm === undefined ? text.search(shape) >= 0 : [...text.matchAll(shape)].some(confirm),
  );
  return found?.name ?? null;
}
