import type { z } from 'zod';
import { AppError, parseStrictJson } from '#shared/errors/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import type { Answer } from './exchange.ts';
import { foreignWords } from './foreign-words.ts';

/**
 * Reads an answer strictly and checks its shape; members that the schema does not know stay. Fails with
 * `service_answer_unreadable`, naming the first place that is wrong.
 */
export function parseAnswer<S extends z.ZodType>(
  { text, conceal }: Pick<Answer, 'text' | 'conceal'>,
  schema: S,
): z.output<S> {
  let value: JsonValue;
  try {
    value = parseStrictJson(text);
  } catch (failure) {
    throw unreadable(conceal(failure instanceof Error ? failure.message : ''));
  }
  return checkShape(value, schema, conceal);
}

/** Checks the shape of a part of an answer. Fails with `service_answer_unreadable`. */
export function checkShape<S extends z.ZodType>(
  value: JsonValue,
  schema: S,
  conceal: Answer['conceal'],
): z.output<S> {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw unreadable(conceal(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`));
}

/** What is wrong may name a key of the answer, which is foreign text. Whatever else is known of it stays foreign, too. */
function unreadable(what: string): AppError {
  return new AppError('service_answer_unreadable', {
    message: `The service gave an answer that cannot be read: ${foreignWords(what)}`,
  });
}
