import type { Core } from '#core/compose/compose.ts';
import type { Logger } from '#core/platform/logger.ts';
import { appApi, type AppRequest } from '#shared/app-api/index.ts';
import { AppError, catalogue, encodeError, parseInput } from '#shared/errors/index.ts';
import {
  type CoreMessage,
  decisionSchema,
  type HostMessage,
  pictureAskSchema,
  seenSchema,
  targetsAskSchema,
  type Surface,
  turnSchema,
} from '#shared/host-api/index.ts';

export type Ask = Extract<HostMessage, { kind: 'ask' }>;

/** The host's questions to a running core: each gets one answer or refusal. */
export interface Asks {
  take(ask: Ask): void;
  /** Refuses all that has no answer yet; later results are dropped. */
  close(): void;
}

export interface AsksOptions {
  core: Core;
  logger: Logger;
  send(message: CoreMessage): void;
}

export function createAsks({ core, logger, send }: AsksOptions): Asks {
  const answer = createSurfaces(core);
  const waiting = new Set<Ask>();

  async function run(ask: Ask): Promise<void> {
    const { id, surface, name, input } = ask;
    const reply = await answer(surface, name, input).then(
      (output): CoreMessage => ({ kind: 'answer', id, output }),
      (failure: unknown) => refusalOf(ask, failure),
    );
    if (waiting.delete(ask)) send(reply);
  }

  function refusalOf({ id, surface, name }: Ask, failure: unknown): CoreMessage {
    const error = encodeError(failure);
    if (catalogue[error.code].level === 'error') {
      logger.error({ err: failure, code: error.code, surface, name }, 'A request of the host failed');
    }
    return { kind: 'refusal', id, error };
  }

  return {
    take(ask) {
      waiting.add(ask);
      void run(ask);
    },
    close() {
      for (const { id } of waiting) send(unreachable(id));
      waiting.clear();
    },
  };
}

/** The refusal of an ask while no core runs. */
export function unreachable(id: number): CoreMessage {
  return { kind: 'refusal', id, error: encodeError(new AppError('core_unreachable')) };
}

type Handle = (input: unknown) => Promise<unknown>;

/**
 * The requests of each surface, by name: a page has the app API, the confirmation window its own few. Fails with `not_found` for
 * any other name, `bad_input` for another shape, or as the core does.
 */
function createSurfaces(
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
      ['prepareAgain', async (input) => confirmation.prepareAgain(parseInput(seenSchema, input))],
      ['undo', async (input) => confirmation.undo(parseInput(seenSchema, input))],
      ['turn', async (input) => confirmation.turn(parseInput(turnSchema, input))],
      ['picture', async (input) => confirmation.picture(parseInput(pictureAskSchema, input))],
      ['targets', async (input) => confirmation.targets(parseInput(targetsAskSchema, input))],
      ['decide', async (input) => confirmation.decide(parseInput(decisionSchema, input))],
    ]),
  };
  return async (surface, name, input) => {
    const handle = tables[surface].get(name);
    if (handle === undefined) throw new AppError('not_found');
    return handle(input);
  };
}
