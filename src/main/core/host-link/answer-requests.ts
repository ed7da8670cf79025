import type { Core } from '#core/compose/compose.ts';
import type { Logger } from '#core/platform/logger.ts';
import { appApi, callHandler, requestNamed } from '#shared/app-api/index.ts';
import { AppError, catalogue, encodeError, parseInput } from '#shared/errors/index.ts';
import { confirmationApi, type CoreMessage, type HostMessage } from '#shared/host-api/index.ts';

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
  const waiting = new Set<Ask>();

  async function run(ask: Ask): Promise<void> {
    const { id } = ask;
    const reply = await answer(core, ask).then(
      (output): CoreMessage => ({ kind: 'answer', id, output: output ?? null }),
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

/**
 * Answers a request of a surface: a page has the app API, the confirmation window its own few. Fails with `not_found` for any other
 * name, `bad_input` for another shape, or as the core does.
 */
async function answer(
  { handlers, confirmation }: Pick<Core, 'handlers' | 'confirmation'>,
  { surface, name, input }: Ask,
): Promise<unknown> {
  // Each handler of the app API checks its input itself.
  if (surface === 'app') return callHandler(handlers, requestNamed(appApi, name), input);
  const request = requestNamed(confirmationApi, name);
  return callHandler(confirmation, request, parseInput<unknown>(confirmationApi[request].input, input));
}
