import type { IncomingMessage } from 'node:http';
import { readBody } from '#core/platform/loopback/index.ts';
import { AppError } from '#shared/errors/index.ts';

/** More than any form of these pages can hold. */
const maxFormBytes = 8 * 1024;

/** A form as it was posted: each field once, the repeatable one as often as it likes. */
export interface PostedForm {
  /** The value of a field; empty when it was not posted. */
  value(name: string): string;
  /** Every value of the repeatable field. */
  values(name: string): string[];
}

/**
 * Reads a posted form that may have these fields and no others. Fails with `unsupported_media_type`, `payload_too_large`, or
 * `bad_request` for a field that is unknown or doubled.
 */
export async function readForm(
  request: IncomingMessage,
  { once, repeatable = [] }: { once: readonly string[]; repeatable?: readonly string[] },
): Promise<PostedForm> {
  const [type] = (request.headers['content-type'] ?? '').split(';', 1);
  if (type?.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    throw new AppError('unsupported_media_type');
  }
  const form = new URLSearchParams((await readBody(request, maxFormBytes)).toString());
  for (const name of new Set(form.keys())) {
    const isDoubled = once.includes(name) && form.getAll(name).length > 1;
    if (isDoubled || ![...once, ...repeatable].includes(name)) throw new AppError('bad_request');
  }
  return { value: (name) => form.get(name) ?? '', values: (name) => form.getAll(name) };
}
