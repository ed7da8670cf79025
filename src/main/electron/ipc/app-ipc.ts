import { appApi, type AppRequest, appRequestNames } from '#shared/app-api/index.ts';
import type { InputSchema } from '#shared/errors/index.ts';
import {
  appChannel,
  appPushes,
  coreStateNowChannel,
  emptyInputSchema,
  type PagePlace,
} from '#shared/host-api/index.ts';
import type { CoreSupervisor } from '../core-link/index.ts';
import { type Ipc, type AppPage, appPageOf } from './registrar.ts';

export interface AppIpcOptions {
  ipc: Ipc;
  place: PagePlace;
  core: Pick<CoreSupervisor, 'state' | 'ask' | 'onEvent' | 'onState'>;
  appWindow: AppPage;
  /** A person asked to see this proposal, and the core shows it. */
  onReview(proposalId: string): void;
}

/** Serves the app API of a place's core to that place's page only, and passes the core's events on to it. */
export function setUpAppIpc({ ipc, place, core, appWindow, onReview }: AppIpcOptions): () => void {
  const from = appPageOf(place, appWindow);
  const serve = (name: AppRequest, schema: InputSchema<unknown>): (() => void) =>
    ipc.handle({
      channel: appChannel(place, name),
      from,
      schema,
      async run(input) {
        const output = await core.ask('app', name, input);
        const proposalId = askedToSee(name, input, output);
        if (proposalId !== null) onReview(proposalId);
        return output;
      },
    });
  return endAll([
    ...appRequestNames.map((name) => serve(name, appApi[name].input)),
    ipc.handle({
      channel: coreStateNowChannel(place),
      from,
      schema: emptyInputSchema,
      run: () => core.state(),
    }),
    core.onEvent((event) => appWindow.send(appPushes.event, event)),
    core.onState((state) => appWindow.send(appPushes.coreState, state)),
  ]);
}

function endAll(stops: readonly (() => void)[]): () => void {
  return () => stops.forEach((stop) => stop());
}

/** Requests that make a proposal and show it; their answers name it. */
const madeAndShown = [
  'proposals.reviewTogether',
  'proposals.prepareAgain',
  'proposals.undo',
  'ledger.reverse',
  'emergencyStop.start',
  'emergencyStop.resume',
] as const satisfies readonly AppRequest[];

/** The proposal that a person asks to see with this request, which the core shows by now; null for every other request. */
function askedToSee(name: AppRequest, input: unknown, output: unknown): string | null {
  // A change that had to be prepared again first is shown under the id of its successor.
  if (name === 'proposals.review') {
    return appApi[name].output.parse(output).id ?? appApi[name].input.parse(input).id;
  }
  const made = madeAndShown.find((one) => one === name);
  return made === undefined ? null : appApi[made].output.parse(output).id;
}
