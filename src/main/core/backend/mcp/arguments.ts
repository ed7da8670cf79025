import type { z } from 'zod';
import { AppError } from '#shared/errors/index.ts';
import type { FieldError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { failuresOf } from './argument-failures.ts';

/** How many failures are named one by one. */
const mostNamed = 100;

/** The arguments as their schema reads them. Fails with `arguments_invalid` naming every argument that does not fit, with its remedy. */
export function readArguments<Input extends z.ZodObject>(input: Input, args: JsonObject): z.output<Input> {
  const read = input.safeParse(args);
  if (read.success) return read.data;
  const taken = Object.keys(input.shape);
  const fields = read.error.issues.flatMap((issue) => failuresOf(issue, args, taken)).slice(0, mostNamed);
  throw argumentsInvalid(fields);
}

/** The refusal `arguments_invalid` for arguments that fit their schema, or did not, and are wrong in these ways. */
export function argumentsInvalid(fields: FieldError[], cause?: unknown): AppError {
  return new AppError('arguments_invalid', { message: sentenceOf(fields), fields, cause });
}

/** The first failure stands in the message too: some clients show nothing else. */
function sentenceOf([first, ...others]: readonly FieldError[]): string {
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return `Some arguments are not valid. ${first?.message ?? ''}${more}`.trim();
}
