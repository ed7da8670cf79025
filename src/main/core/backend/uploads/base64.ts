import type { AppError } from '#shared/errors/index.ts';
import { argumentsInvalid } from '../mcp/arguments.ts';

const alphabet = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The bytes of a base64 text (RFC 4648 §4), of which there is exactly one for them. Fails with `arguments_invalid`; what is
 * too long is refused before it is decoded.
 */
export function readBase64(text: string, mostBytes: number): Uint8Array {
  if (text.length > 4 * Math.ceil(mostBytes / 3)) throw tooLarge(mostBytes);
  const bytes = Buffer.from(text, 'base64');
  // Buffer takes what it can; only the one proper spelling comes back the same.
  if (!alphabet.test(text) || text === '' || bytes.toString('base64') !== text) {
    throw refusal('wrong_type', 'Send the bytes in base64, with padding and without spaces.');
  }
  if (bytes.length > mostBytes) throw tooLarge(mostBytes);
  return bytes;
}

function tooLarge(mostBytes: number): AppError {
  return refusal('out_of_range', `The file is larger than ${mostBytes / 1024} KiB.`);
}

function refusal(code: string, message: string): AppError {
  return argumentsInvalid([{ field: 'data', code, message }]);
}
