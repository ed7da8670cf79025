import { JsonRefusal } from '../lib/json/json-refusal.ts';
import type { JsonValue } from '../lib/json/json-value.ts';
import { readStrictJson, type JsonSizeLimits } from '../lib/json/strict-parse.ts';
import { AppError } from './app-error.ts';

/**
 * Reads a JSON text strictly. Fails with `json_invalid`, `json_duplicate_key`, `json_forbidden_key`, `json_number_inexact`,
 * `json_lone_surrogate`, `json_too_deep` or, beyond `limits`, `json_too_large`; the path of the place is in the message and in `data.path`.
 */
export function parseStrictJson(text: string, limits?: JsonSizeLimits): JsonValue {
  try {
    return readStrictJson(text, limits);
  } catch (error) {
    if (!(error instanceof JsonRefusal)) throw error;
    throw new AppError(error.code, { message: `${error.message}.`, data: { path: error.path } });
  }
}
