import type { z } from 'zod';

/** One request of the app API: its input and its output. Preload, registrar and renderer client derive from it. */
export interface RequestDefinition<I extends z.ZodType, O extends z.ZodType> {
  input: I;
  output: O;
}

/** Declares a request. */
export function request<I extends z.ZodType, O extends z.ZodType>(
  input: I,
  output: O,
): RequestDefinition<I, O> {
  return { input, output };
}
