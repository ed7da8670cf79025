import { z } from 'zod';
import { AppError, issueInWords, type FieldError } from '#shared/errors/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

const maxNamed = 100;

/** Fails with `arguments_invalid` naming every wrong argument with its remedy. */
export function readArguments<Input extends z.ZodObject>(input: Input, args: JsonObject): z.output<Input> {
  const read = input.safeParse(args);
  if (read.success) return read.data;
  const taken = Object.keys(input.shape);
  const fields = read.error.issues.flatMap((issue) => failuresOf(issue, args, taken)).slice(0, maxNamed);
  throw argumentsInvalid(fields);
}

export function argumentsInvalid(fields: FieldError[], cause?: unknown): AppError {
  return new AppError('arguments_invalid', { message: sentenceOf(fields), fields, cause });
}

/** Some clients show nothing but the message. */
function sentenceOf([first, ...others]: readonly FieldError[]): Sentence {
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const words = `Some arguments are not valid. ${first?.message ?? ''}${more}`.trim();
  return sentence`${ownWords(words)}`;
}

type Issue = z.core.$ZodIssue;

function failuresOf(issue: Issue, args: JsonObject, taken: readonly string[]): FieldError[] {
  if (issue.code === 'unrecognized_keys') return unknownNames(issue, taken);
  if (issue.code === 'invalid_union') return ofUnion(issue, args, taken);
  const field = fieldOf(issue.path) || 'arguments';
  if (issue.code === 'invalid_type' && valueAt(args, issue.path) === undefined) {
    return [
      { field, code: 'required', message: sentence`Give ${field}: ${ownWords(kindOf(issue.expected))}.` },
    ];
  }
  return [{ field, ...wordsOf(issue, field) }];
}

/** Reports what is missing for the nearest shape. */
function ofUnion(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  args: JsonObject,
  taken: readonly string[],
): FieldError[] {
  const field = fieldOf(issue.path);
  if (issue.inclusive !== false && issue.options !== undefined) {
    const code = valueAt(args, issue.path) === undefined ? 'required' : 'not_allowed';
    return [{ field, code, message: sentence`${field} must be ${ownWords(oneOf(issue.options))}.` }];
  }
  const [nearest] = issue.errors.toSorted((left, right) => distance(left) - distance(right));
  if (nearest === undefined) return [{ field, ...otherwise(issue) }];
  return nearest.flatMap((inner) =>
    failuresOf({ ...inner, path: [...issue.path, ...inner.path] }, args, taken),
  );
}

/** A shape with wrong members is nearer than another type. */
function distance(issues: readonly Issue[]): number {
  return issues.length + (issues.some(({ path }) => path.length === 0) ? 1_000 : 0);
}

function unknownNames(
  issue: Extract<Issue, { code: 'unrecognized_keys' }>,
  taken: readonly string[],
): FieldError[] {
  const isTop = issue.path.length === 0;
  const known = isTop ? ` Taken are ${taken.join(', ')}.` : '';
  return issue.keys.map((key) => {
    const field = fieldOf([...issue.path, key]);
    const message =
      isTop && taken.length === 0
        ? sentence`No arguments are taken.`
        : sentence`Leave out ${field}.${ownWords(known)}`;
    return { field, code: 'unknown_field', message };
  });
}

function wordsOf(issue: Issue, field: string): Pick<FieldError, 'code' | 'message'> {
  switch (issue.code) {
    case 'invalid_type':
      return { code: 'wrong_type', message: sentence`${field} must be ${ownWords(kindOf(issue.expected))}.` };
    case 'invalid_value':
      return { code: 'not_allowed', message: sentence`${field} must be ${ownWords(oneOf(issue.values))}.` };
    case 'too_small':
      return {
        code: 'out_of_range',
        message: sentence`${field} must ${ownWords(bound(issue.origin, 'at least', issue.minimum))}.`,
      };
    case 'too_big':
      return {
        code: 'out_of_range',
        message: sentence`${field} must ${ownWords(bound(issue.origin, 'at most', issue.maximum))}.`,
      };
    case 'invalid_format':
      return issue.format === 'date'
        ? { code: 'wrong_format', message: sentence`${field} must be a day as YYYY-MM-DD.` }
        : { code: 'wrong_format', message: issueInWords(issue) };
    default:
      return otherwise(issue);
  }
}

function otherwise(issue: Issue): Pick<FieldError, 'code' | 'message'> {
  const own: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  return { code: typeof own === 'string' ? own : 'not_valid', message: issueInWords(issue) };
}

function oneOf(values: readonly unknown[]): string {
  const texts = values.map((value) => JSON.stringify(value));
  return texts.length === 1 ? `${texts[0]}` : `one of ${texts.join(', ')}`;
}

function bound(origin: string, how: 'at least' | 'at most', size: number | bigint): string {
  if (origin === 'string') return `have ${how} ${size} ${size === 1 ? 'character' : 'characters'}`;
  if (origin === 'array' || origin === 'set') return `have ${how} ${size} ${size === 1 ? 'item' : 'items'}`;
  return `be ${how} ${size}`;
}

const kinds: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function kindOf(expected: string): string {
  return kinds[expected] ?? `of type ${expected}`;
}

function fieldOf(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${callerName(String(step))}`));
  return steps.join('').replace(/^\./, '');
}

function valueAt(args: JsonObject, path: readonly PropertyKey[]): JsonValue | undefined {
  let value: JsonValue | undefined = args;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<PropertyKey, JsonValue>)[step];
  }
  return value;
}

const longest = 80;

export function callerName(name: string): string {
  return inertText(name.slice(0, longest));
}

/** Empty for anything but a text. */
export function textIn(payload: JsonObject, key: string): string {
  const value = payload[key];
  return typeof value === 'string' ? value : '';
}

export const isInOrder = ({
  date_from: from,
  date_to: to,
}: {
  date_from: string;
  date_to: string;
}): boolean => from <= to || ![from, to].every((day) => z.iso.date().safeParse(day).success);

export const notInOrder = {
  path: ['date_to'],
  message: 'date_to must not be before date_from.',
  params: { code: 'out_of_range' },
};
