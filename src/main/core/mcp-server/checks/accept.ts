import { AppError } from '#shared/errors/index.ts';
import type { Check } from '../exchange.ts';

/** As the contract writes it; nearly everybody does. */
const usual = 'application/json, text/event-stream';

/** Who sends a message takes either kind of answer (MCP, Streamable HTTP; contract §4.3). Fails with `not_acceptable`. */
export const checkAcceptsBoth: Check = ({ request }) => {
  if (request.headers.accept === usual) return;
  requireAccepted(request.headers.accept, ['application/json', 'text/event-stream']);
};

/** Who listens takes a stream. Fails with `not_acceptable`. */
export const checkAcceptsStream: Check = ({ request }) => {
  requireAccepted(request.headers.accept, ['text/event-stream']);
};

function requireAccepted(accept: string | undefined, types: readonly string[]): void {
  const accepted = new Set((accept ?? '').split(',').map(mediaTypeOf));
  if (types.every((type) => accepted.has(type))) return;
  throw new AppError('not_acceptable', { message: `Accept must name ${types.join(' and ')}.` });
}

/** Without its parameters; empty for what `q=0` rules out (RFC 9110 §12.5.1). */
function mediaTypeOf(range: string): string {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? '' : type;
}
