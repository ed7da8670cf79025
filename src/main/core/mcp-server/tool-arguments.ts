import { z } from 'zod';
import { AppError, issueInWords, type FieldError } from '#shared/errors/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { nearestNames } from '#shared/lib/nearest-names.ts';
import {
  joinSentences,
  listed,
  type OwnWords,
  ownWords,
  type Sentence,
  sentence,
} from '#shared/lib/sentence.ts';

const maxNamed = 100;

/** Parses arguments by their schema. Fails with `arguments_invalid`, which names each invalid argument with its remedy. */
export function readArguments<Input extends z.ZodObject>(input: Input, args: JsonObject): z.output<Input> {
  const read = input.safeParse(args);
  if (read.success) return read.data;
  const fields = read.error.issues.flatMap((issue) => failuresOf(issue, args, input)).slice(0, maxNamed);
  throw argumentsInvalid(fields);
}

/** The refusal `arguments_invalid` with these fields. */
export function argumentsInvalid(fields: FieldError[], cause?: unknown): AppError {
  return new AppError('arguments_invalid', { message: sentenceOf(fields), fields, cause });
}

/** Repeats the first failure in the message: some clients show nothing else. */
function sentenceOf([first, ...others]: readonly FieldError[]): Sentence {
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const words = `Some arguments are not valid. ${first?.message ?? ''}${more}`.trim();
  return sentence`${ownWords(words)}`;
}

const maxInMessage = 3;

/**
 * Returns the refusal of a call with the given value of each field, and the first failures in the message. A field of a
 * campaign is also looked up in `changes`.
 */
export function refusalInFull(error: AppError, args: JsonObject): AppError {
  const { code, data } = error;
  if (error.fields.length === 0 || code === 'dlp_denied') return error;
  const fields = error.fields.map((failure) => ({ ...failure, message: withGiven(failure, args) }));
  const first = fields.slice(0, maxInMessage).map(({ message }) => message);
  const head = code === 'arguments_invalid' ? new AppError(code).message : error.message;
  const more = fields.length - first.length;
  const rest = more === 0 ? [] : [sentence`${more} more are not valid.`];
  return new AppError(code, { message: joinSentences([head, ...first, ...rest]), fields, data });
}

const amounts: ReadonlySet<string> = new Set(['payout', 'd_revenue', 't_revenue']);

function withGiven({ field, code, message }: FieldError, args: JsonObject): Sentence {
  const steps = field.split(/[.[\]]+/).filter((step) => step !== '');
  const inChanges = valueAt(args, ['changes', ...steps]);
  const named = inChanges === undefined ? [message] : [sentence`${field}: ${ownWords(message)}`];
  const given = inChanges ?? valueAt(args, steps);
  if (given === undefined || code === 'unknown_field') return joinSentences(named);
  const unit = code === 'out_of_range' && amounts.has(steps.at(-1) ?? '');
  return joinSentences([
    ...named,
    sentence`Given: ${asGiven(given)}.`,
    ...(unit ? [sentence`Amounts are in USD, not in cents.`] : []),
  ]);
}

function asGiven(value: JsonValue): OwnWords | string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : ownWords(String(value));
}

type Issue = z.core.$ZodIssue;

function failuresOf(issue: Issue, args: JsonObject, input: z.ZodObject): FieldError[] {
  if (issue.code === 'unrecognized_keys') return unknownNames(issue, Object.keys(input.shape));
  if (issue.code === 'invalid_union') return ofUnion(issue, args, input);
  const field = fieldOf(issue.path) || 'arguments';
  if (issue.code === 'invalid_type' && valueAt(args, issue.path) === undefined) {
    const about = issue.path.length === 1 ? descriptionOf(input.shape[String(issue.path[0])]) : '';
    const kind = ownWords(kindOf(issue.expected));
    return [{ field, code: 'required', message: sentence`Give ${field}: ${kind}.${ownWords(about)}` }];
  }
  return [{ field, ...wordsOf(issue, field) }];
}

function descriptionOf(schema: z.core.$ZodType | undefined): string {
  const { description } = schema === undefined ? {} : (z.globalRegistry.get(schema) ?? {});
  return description === undefined ? '' : ` ${description}`;
}

function ofUnion(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  args: JsonObject,
  input: z.ZodObject,
): FieldError[] {
  const field = fieldOf(issue.path);
  // No variant has this discriminator.
  if (issue.inclusive !== false && issue.options !== undefined) {
    const code = valueAt(args, issue.path) === undefined ? 'required' : 'not_allowed';
    return [{ field, code, message: sentence`${field} must be ${ownWords(oneOf(issue.options))}.` }];
  }
  const [nearest] = issue.errors.toSorted((left, right) => distance(left) - distance(right));
  if (nearest === undefined) return [{ field, ...otherwise(issue, field) }];
  return nearest.flatMap((inner) =>
    failuresOf({ ...inner, path: [...issue.path, ...inner.path] }, args, input),
  );
}

/** A variant with wrong members is nearer than a variant of another type, so that the report concerns the intended variant. */
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
    const near = isTop ? nearestNames(key, taken) : [];
    const perhaps = near.length === 0 ? '' : ` Perhaps ${listed(near, 'or')} is meant.`;
    const message =
      isTop && taken.length === 0
        ? sentence`No arguments are taken.`
        : sentence`Leave out ${field}.${ownWords(`${perhaps}${known}`)}`;
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
      return otherwise(issue, field);
  }
}

function otherwise(issue: Issue, field: string): Pick<FieldError, 'code' | 'message'> {
  const own: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  const words = issueInWords(issue);
  const message = words.startsWith('must ') ? sentence`${field} ${ownWords(words)}.` : words;
  return { code: typeof own === 'string' ? own : 'not_valid', message };
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

/** The path as text, for example `ids[2].cid`, with names of the caller as `callerName` returns them. */
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

/** A name from the caller, escaped and shortened, so that a message can repeat it. */
export function callerName(name: string): string {
  return inertText(name.slice(0, longest));
}

/** The JSON Schema that a tool lists for its arguments or its answer. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => leaveOutNoise(jsonSchema),
  });
  return json as JsonObject;
}

/** Removes constraints that every value meets, or that a shorter keyword repeats: they would only use an agent's context. */
function leaveOutNoise(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.format === 'date' || schema.format === 'date-time') delete schema.pattern;
  uniteWithNull(schema);
  if (isAnyText(schema.propertyNames)) delete schema.propertyNames;
}

/** Writes `anyOf` of a type and null as one equivalent schema with two types. */
function uniteWithNull(schema: z.core.JSONSchema.BaseSchema): void {
  const [shape, other, ...more] = schema.anyOf ?? [];
  if (shape === undefined || other?.type !== 'null' || more.length > 0) return;
  const isPlain = !['enum', 'const', '$ref'].some((word) => word in shape);
  if (typeof shape.type !== 'string' || !isPlain) return;
  delete schema.anyOf;
  Object.assign(schema, { ...shape, ...schema, type: [shape.type, 'null'] });
}

function isAnyText(schema: unknown): boolean {
  return JSON.stringify(schema) === '{"type":"string"}';
}
