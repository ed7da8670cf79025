import { type AppHandlers, type AppRequest, appRequestNames, trainingApi } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import type { ConfirmationPort } from '#shared/host-api/index.ts';
import type { WorkspaceCore } from './workspace-core.ts';

/** The core of the workspace that is open. Fails with `no_workspace`. */
type CurrentCore = () => Pick<WorkspaceCore, 'handlers' | 'confirmation'>;

/** Hands every request to the core of the workspace, which checks it. */
export function forwardedHandlers(core: CurrentCore): AppHandlers {
  const forward = (name: AppRequest) => async (input: unknown) => {
    const handler = core().handlers[name] as (input: unknown) => Promise<unknown>;
    return handler(input);
  };
  return Object.fromEntries(appRequestNames.map((name) => [name, forward(name)])) as unknown as AppHandlers;
}

type TrainingHandlers = Pick<AppHandlers, keyof typeof trainingApi>;

/** Refuses the requests of training that nothing answers now. */
export function refusedHandlers(refusal: () => AppError): TrainingHandlers {
  const refuse = (): Promise<never> => Promise.reject(refusal());
  const refusals = Object.keys(trainingApi).map((name) => [name, refuse] as [string, unknown]);
  return Object.fromEntries(refusals) as TrainingHandlers;
}

/** The confirmation of the workspace that is open. */
export function forwardedPort(core: CurrentCore): ConfirmationPort {
  const port = (): ConfirmationPort => core().confirmation;
  return {
    seen: (seen) => port().seen(seen),
    look: (seen) => port().look(seen),
    picture: async (ask) => port().picture(ask),
    decide: async (decision) => port().decide(decision),
    prepareAgain: async (seen) => port().prepareAgain(seen),
    undo: async (seen) => port().undo(seen),
    turn: async (turn) => port().turn(turn),
    putAway: (seen) => port().putAway(seen),
  };
}
