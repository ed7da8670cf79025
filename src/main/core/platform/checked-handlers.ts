import { appApi, type AppHandlers, type AppRequest } from '#shared/app-api/index.ts';
import { parseInput } from '#shared/errors/index.ts';

type Handler = (input: unknown) => Promise<unknown>;

export function done<I>(work: (input: I) => unknown): (input: I) => Promise<Record<string, never>> {
  return async (input) => {
    await work(input);
    return {};
  };
}

/** Invalid input fails with `bad_input`, which names every invalid field. Invalid output is a bug and throws. */
export function checkedHandlers<R extends AppRequest>(handlers: Pick<AppHandlers, R>): Pick<AppHandlers, R> {
  const checked = Object.entries<unknown>(handlers).map(([name, handler]) => [
    name,
    check(name as AppRequest, handler as Handler),
  ]);
  return Object.fromEntries(checked) as Pick<AppHandlers, R>;
}

function check(name: AppRequest, handler: Handler): Handler {
  const { input: inputSchema, output: outputSchema } = appApi[name];
  return async (input) => outputSchema.parse(await handler(parseInput<unknown>(inputSchema, input)));
}
