import type { z } from 'zod';
import { AppError, parseStrictJson } from '#shared/errors/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import type { Answer } from './call.ts';
import { foreignWords } from './foreign-words.ts';

/**
 * Reads an answer strictly and checks its shape; members that the schema does not know stay. Fails with
 * `service_answer_unreadable`, naming the first place that is wrong.
 */
export function parseAnswer<S extends z.ZodType>(answer: Answer, schema: S): z.output<S> {
  return checkShape(parseText(answer.text), schema);
}

/** The JSON value of an answer's text. */
function parseText(text: string): JsonValue {
  try {
    return parseStrictJson(text);
  } catch (cause) {
    throw unreadable(cause instanceof Error ? cause.message : '', cause);
  }
}

/** Checks the shape of a part of an answer. Fails with `service_answer_unreadable`. */
export function checkShape<S extends z.ZodType>(value: JsonValue, schema: S): z.output<S> {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw unreadable(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`, checked.error);
}

/** What is wrong may name a key of the answer, which is foreign text. */
function unreadable(what: string, cause: unknown): AppError {
  return new AppError('service_answer_unreadable', {
    message: `The service gave an answer that cannot be read: ${foreignWords(what)}`,
    cause,
  });
}
