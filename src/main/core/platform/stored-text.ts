import { AppError, parseStrictJson } from '#shared/errors/index.ts';

/** Parses JSON text that is stored with a proposal. Fails with `proposal_unreadable`. */
export function readStoredText<Value>(schema: { parse(value: unknown): Value }, text: string): Value {
  try {
    return schema.parse(parseStrictJson(text));
  } catch (cause) {
    throw new AppError('proposal_unreadable', { cause });
  }
}
