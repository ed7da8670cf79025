import { z } from 'zod';
import { AppError } from '../errors/index.ts';
import { atMost } from '../lib/inert-text.ts';
import type { Sentence } from '../lib/sentence.ts';

/** A sentence that this program has made, in another process or earlier. Never for what a service, an agent or a file sends. */
export const sentenceSchema = z.custom<Sentence>((value) => typeof value === 'string');

export const cid = z.int().positive();

export const recordId = z.string().min(1).max(100);

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

/** One request: its input and its output. A map of requests is the only place where they are typed. */
export interface RequestDefinition<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  input: I;
  output: O;
  /** The core shows a proposal to the person before it answers: that of the `id` of the output, else of the input. */
  shows?: true;
}

export function request<I extends z.ZodType, O extends z.ZodType>(
  input: I,
  output: O,
): RequestDefinition<I, O> {
  return { input, output };
}

export function showingRequest<I extends z.ZodType, O extends z.ZodType<{ id?: string | null }>>(
  input: I,
  output: O,
): RequestDefinition<I, O> {
  return { input, output, shows: true };
}

export type RequestMap = Readonly<Record<string, RequestDefinition>>;

export type RequestName<M extends RequestMap> = keyof M & string;
export type InputOf<M extends RequestMap, R extends keyof M> = z.input<M[R]['input']>;
export type OutputOf<M extends RequestMap, R extends keyof M> = z.output<M[R]['output']>;

/** One handler for each request of a map; failures are `AppError`. */
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

/** Checks a name that came from outside. Fails with `not_found` for anything but a request of the map. */
export function requestNamed<M extends RequestMap>(requests: M, name: unknown): RequestName<M> {
  if (typeof name !== 'string' || !Object.hasOwn(requests, name)) throw new AppError('not_found');
  return name;
}

/** Calls the handler of a request: TypeScript cannot follow the pair of a name and its input through the union of all. */
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
