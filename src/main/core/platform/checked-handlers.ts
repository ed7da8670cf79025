import { appApi, type AppHandlers, type AppRequest } from '#shared/app-api/index.ts';
import { AppError, type FieldError } from '#shared/errors/index.ts';

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
  return async (input) => {
    const parsed = inputSchema.safeParse(input);
    if (!parsed.success) throw new AppError('bad_input', { fields: parsed.error.issues.map(toField) });
    return outputSchema.parse(await handler(parsed.data));
  };
}

function toField({
  path,
  code,
  message,
}: {
  path: PropertyKey[];
  code: string;
  message: string;
}): FieldError {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return { field: steps.join('').replace(/^\./, ''), code, message };
}
