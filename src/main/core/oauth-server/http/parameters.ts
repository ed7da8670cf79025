import { AppError } from '#shared/errors/index.ts';

/** Parameters of a query or a form. */
export interface Parameters {
  /** The first value of each, decoded. Those sent without a value count as not sent (RFC 6749 §3.1). */
  values: ReadonlyMap<string, string>;
  /** The names that were sent more than once. */
  repeated: ReadonlySet<string>;
}

/** More than any request needs. */
const mostParameters = 64;

/** Reads `application/x-www-form-urlencoded` strictly. Fails with `oauth_invalid_request` where it is not well-formed UTF-8. */
export function parseParameters(text: string): Parameters {
  const values = new Map<string, string>();
  const seen = new Set<string>();
  const repeated = new Set<string>();
  const parts = text === '' ? [] : text.split('&');
  if (parts.length > mostParameters) refuse('There are too many parameters.');
  for (const part of parts) {
    const end = part.indexOf('=');
    const name = decode(end < 0 ? part : part.slice(0, end));
    const value = end < 0 ? '' : decode(part.slice(end + 1));
    if (seen.has(name)) repeated.add(name);
    else if (value !== '') values.set(name, value);
    seen.add(name);
  }
  return { values, repeated };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new AppError('oauth_invalid_request', { message: 'A parameter is not well-formed UTF-8.', cause });
  }
}

function refuse(message: string): never {
  throw new AppError('oauth_invalid_request', { message });
}
