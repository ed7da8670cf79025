import { type AppHandlers, type AppRequest, appRequestNames } from '#shared/app-api/index.ts';
import type { ConfirmationPort } from '#shared/host-api/index.ts';

/** The core that there is now. Fails with an `AppError` while there is none. */
type CurrentCore = () => { handlers: AppHandlers; confirmation: ConfirmationPort };

/** Hands every request to the core that there is at that moment, which checks it. */
export function forwardedHandlers(core: CurrentCore): AppHandlers {
  const forward = (name: AppRequest) => async (input: unknown) => {
    const handler = core().handlers[name] as (input: unknown) => Promise<unknown>;
    return handler(input);
  };
  return Object.fromEntries(appRequestNames.map((name) => [name, forward(name)])) as unknown as AppHandlers;
}

/** The confirmation of the core that there is at that moment. */
export function forwardedPort(core: CurrentCore): ConfirmationPort {
  const port = (): ConfirmationPort => core().confirmation;
  return {
    seen: (seen) => port().seen(seen),
    look: (seen) => port().look(seen),
    picture: async (ask) => port().picture(ask),
    targets: (ask) => port().targets(ask),
    decide: async (decision) => port().decide(decision),
    prepareAgain: async (seen) => port().prepareAgain(seen),
    undo: async (seen) => port().undo(seen),
    turn: async (turn) => port().turn(turn),
    putAway: (seen) => port().putAway(seen),
  };
}
