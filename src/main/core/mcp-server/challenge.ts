import type { IncomingMessage } from 'node:http';
import type { AppError } from '#shared/errors/index.ts';

/**
 * The `WWW-Authenticate` of a refusal (RFC 6750 §3, RFC 9728 §5.1); null where another token would not help. A request
 * without any credentials is told where to get some, and of no error.
 */
export function challengeOf(
  error: AppError,
  request: IncomingMessage,
  resourceMetadataUrl: string,
): string | null {
  const word = errorWord(error);
  if (word === null) return null;
  const { scope } = error.data;
  const hasCredentials = request.headers.authorization !== undefined;
  const parameters: Record<string, string> = {
    ...(hasCredentials ? { error: word, error_description: error.message } : {}),
    ...(typeof scope === 'string' ? { scope } : {}),
    resource_metadata: resourceMetadataUrl,
  };
  const written = Object.entries(parameters).map(([name, value]) => `${name}="${quotable(value)}"`);
  return `Bearer ${written.join(', ')}`;
}

function errorWord({ code, status }: AppError): string | null {
  if (code === 'scope_missing') return 'insufficient_scope';
  return status === 401 ? 'invalid_token' : null;
}

/** The characters that RFC 6750 §3 allows between the quotes. */
function quotable(text: string): string {
  return text.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?');
}
