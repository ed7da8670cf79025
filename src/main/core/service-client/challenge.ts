/** What a `WWW-Authenticate: Bearer …` says (RFC 6750 §3); null where it says nothing that can be used. */
export interface Challenge {
  error: string | null;
  /** Space-separated scope tokens (RFC 6749 §3.3). */
  scope: string | null;
  /** Where the resource describes itself (RFC 9728 §5.1), as the service wrote it: no policy has seen it. */
  resourceMetadata: string | null;
}

const longestHeader = 4096;
const parameter = /([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g;
const scopeTokens = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** Reads the challenge of a refusing answer. A parameter that is repeated counts as it first came. */
export function readChallenge(headers: Headers): Challenge {
  const text = headers.get('www-authenticate') ?? '';
  const start = text.length > longestHeader ? -1 : text.search(/\bbearer\s/i);
  if (start < 0) return { error: null, scope: null, resourceMetadata: null };
  const found = new Map<string, string>();
  for (const [, name = '', quoted, bare] of text.slice(start).matchAll(parameter)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '');
  }
  const scope = found.get('scope') ?? '';
  return {
    error: found.get('error') ?? null,
    scope: scopeTokens.test(scope) ? scope : null,
    resourceMetadata: found.get('resource_metadata') ?? null,
  };
}
