import { appApi, type AppHandlers, type AppRequest } from '#shared/app-api/index.ts';
import { AppError, type FieldError } from '#shared/errors/index.ts';

interface Issue {
  path: PropertyKey[];
  code: string;
  message: string;
}

/** What is used of a schema here; the schemas themselves live in shared. */
export interface InputSchema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: { issues: Issue[] } };
}

/** The input in its schema's shape. Fails with `bad_input` naming every place that does not fit. */
export function parseInput<T>(schema: InputSchema<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new AppError('bad_input', { fields: parsed.error.issues.map(toField) });
}

function toField({ path, code, message }: Issue): FieldError {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return { field: steps.join('').replace(/^\./, ''), code, message };
}

type Handler = (input: unknown) => Promise<unknown>;

/**
 * The handlers behind their schemas: input that does not fit is `bad_input` naming every place; output that does not fit
 * is a bug.
 */
export function checkedHandlers(handlers: AppHandlers): AppHandlers {
  const checked = Object.entries(handlers).map(([name, handler]) => [
    name,
    check(name as AppRequest, handler as Handler),
  ]);
  return Object.fromEntries(checked) as AppHandlers;
}

function check(name: AppRequest, handler: Handler): Handler {
  const { input: inputSchema, output: outputSchema } = appApi[name];
  return async (input) => outputSchema.parse(await handler(parseInput<unknown>(inputSchema, input)));
}
