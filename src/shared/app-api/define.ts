import { z } from 'zod';
import { AppError } from '../errors/index.ts';
import { lastMomentMs } from '../lib/date-text.ts';
import { atMost } from '../lib/inert-text.ts';
import type { Sentence } from '../lib/sentence.ts';

/**
 * Restores the type of a sentence that this program made, in another process or earlier. Never use it for text from a
 * service, an agent or a file.
 */
export const sentenceSchema = z.custom<Sentence>((value) => typeof value === 'string');

export const cid = z.int().positive();

export const recordId = z.string().min(1).max(100);

/** A time that a `Date` can represent. */
export const momentSchema = z.int().min(0).max(lastMomentMs);

export const nothing = z.object({});

export const reasonSchema = z.object({ message: z.string(), next: z.string() });

export const failureSchema = reasonSchema.extend({ code: z.string() });

export const nameSchema = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .refine(...atMost(maxLength))
    .refine((text) => !/\p{C}/u.test(text));

/** The input and output of one request. A map of these definitions is the only place where requests are typed. */
export interface RequestDefinition<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  input: I;
  output: O;
  /** The core shows a proposal to the person before it answers. Its id is the `id` of the output, else of the input. */
  shows?: true;
}

export function request<I extends z.ZodType, O extends z.ZodType>(
  input: I,
  output: O,
): RequestDefinition<I, O> {
  return { input, output };
}

export function displayRequest<I extends z.ZodType, O extends z.ZodType<{ id?: string | null }>>(
  input: I,
  output: O,
): RequestDefinition<I, O> {
  return { input, output, shows: true };
}

export type RequestMap = Readonly<Record<string, RequestDefinition>>;

export type RequestName<M extends RequestMap> = keyof M & string;
export type InputOf<M extends RequestMap, R extends keyof M> = z.input<M[R]['input']>;
export type OutputOf<M extends RequestMap, R extends keyof M> = z.output<M[R]['output']>;

/** One handler for each request of a map. Expected failures are thrown as `AppError`. */
export type HandlersOf<M extends RequestMap> = {
  [R in keyof M]: (input: z.output<M[R]['input']>) => OutputOf<M, R> | Promise<OutputOf<M, R>>;
};

export type CallsOf<M extends RequestMap> = {
  [R in keyof M]: (input: InputOf<M, R>) => Promise<OutputOf<M, R>>;
};

export type AskFor<M extends RequestMap> = <R extends RequestName<M>>(
  name: R,
  input: InputOf<M, R>,
) => Promise<OutputOf<M, R>>;

/** Checks a request name that came from outside. Fails with `not_found` unless the map has such a request. */
export function requestNamed<M extends RequestMap>(requests: M, name: unknown): RequestName<M> {
  if (typeof name !== 'string' || !Object.hasOwn(requests, name)) throw new AppError('not_found');
  return name;
}

/**
 * Calls the handler of a request. The cast is here because TypeScript cannot relate a name from a union to the input of
 * that name.
 */
export function callHandler<H>(handlers: H, name: keyof H, input: unknown): unknown {
  return (handlers[name] as (input: unknown) => unknown)(input);
}

export function handlersBy<M extends RequestMap>(
  requests: M,
  answer: (name: RequestName<M>, input: unknown) => Promise<unknown>,
): { [R in keyof M]: (input: unknown) => Promise<OutputOf<M, R>> } {
  const handlers = Object.keys(requests).map((name) => [name, (input: unknown) => answer(name, input)]);
  return Object.fromEntries(handlers) as ReturnType<typeof handlersBy<M>>;
}
