import type { Core } from '#core/compose.ts';
import { parseInput } from '#core/platform/parse-input.ts';
import { appApi, type AppRequest } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { decisionSchema, seenSchema, type Surface } from '#shared/host-api/index.ts';

type Handle = (input: unknown) => Promise<unknown>;

/**
 * What each surface may ask, by name: a page the app API, the confirmation window its four. Fails with `not_found` for
 * any other name, `bad_input` for another shape, or as the core does.
 */
export function createSurfaces(
  core: Pick<Core, 'handlers' | 'confirmation'>,
): (surface: Surface, name: string, input: unknown) => Promise<unknown> {
  const { confirmation } = core;
  const tables: Record<Surface, ReadonlyMap<string, Handle>> = {
    app: new Map(
      // Each handler checks its input itself.
      Object.keys(appApi).map((name) => [name, core.handlers[name as AppRequest] as Handle]),
    ),
    confirmation: new Map<string, Handle>([
      ['look', async (input) => confirmation.look(parseInput(seenSchema, input))],
      [
        'seen',
        async (input) => {
          confirmation.seen(parseInput(seenSchema, input));
          return null;
        },
      ],
      [
        'putAway',
        async (input) => {
          confirmation.putAway(parseInput(seenSchema, input));
          return null;
        },
      ],
      ['decide', async (input) => confirmation.decide(parseInput(decisionSchema, input))],
    ]),
  };
  return async (surface, name, input) => {
    const handle = tables[surface].get(name);
    if (handle === undefined) throw new AppError('not_found');
    return handle(input);
  };
}
