import type { IncomingMessage } from 'node:http';
import { bodyJsonLimits, headerValues, readBody } from '#core/platform/loopback/index.ts';
import { AppError, parseStrictJson } from '#shared/errors/index.ts';

/** What is used of a schema here; the schemas themselves live in shared. */
export interface InputSchema<T> {
  safeParse(
    value: unknown,
  ):
    | { success: true; data: T }
    | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
}

/**
 * Reads a JSON body and parses it. Fails with `unsupported_media_type`, `payload_too_large`, `json_*`, or `bad_input`
 * naming every failing field.
 */
export async function readInput<T>(request: IncomingMessage, schema: InputSchema<T>): Promise<T> {
  // A form of a foreign page cannot send this type without being asked first.
  const [type, ...more] = headerValues(request, 'content-type');
  if (more.length > 0 || !/^application\/json\s*(;|$)/i.test(type ?? '')) {
    throw new AppError('unsupported_media_type');
  }
  const result = schema.safeParse(parseStrictJson(utf8(await readBody(request)), bodyJsonLimits));
  if (result.success) return result.data;
  const fields = result.error.issues.map(({ path, message }) => ({
    field: path.join('.'),
    code: 'invalid',
    message,
  }));
  throw new AppError('bad_input', { fields });
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('json_invalid', { cause });
  }
}
