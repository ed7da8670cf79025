import { appApi, type AppRequest, type RequestDefinition } from '#shared/app-api/index.ts';
import { appPushes, type PagePlace } from '#shared/host-api/index.ts';
import type { CoreSupervisor } from '../core-link/index.ts';
import { type Ipc, type AppPage, appPageOf } from './registrar.ts';

export interface AppIpcOptions {
  ipc: Ipc;
  place: PagePlace;
  core: Pick<CoreSupervisor, 'ask' | 'onEvent' | 'onState'>;
  appWindow: AppPage;
  /** A person asked to see this proposal, and the core shows it. */
  onReview(proposalId: string): void;
}

/** Serves the app API of a place's core to that place's page only, and passes the core's events on to it. */
export function setUpAppIpc({ ipc, place, core, appWindow, onReview }: AppIpcOptions): () => void {
  const stops = [
    ipc.handle({
      surface: 'app',
      from: appPageOf(place, appWindow),
      requests: appApi,
      async answer(name, input) {
        const output = await core.ask('app', name, input);
        const proposalId = askedToSee(name, input, output);
        if (proposalId !== null) onReview(proposalId);
        return output;
      },
    }),
    core.onEvent((event) => appWindow.send(appPushes.event, event)),
    core.onState((state) => appWindow.send(appPushes.coreState, state)),
  ];
  return () => stops.forEach((stop) => stop());
}

/** The proposal that a person asks to see with this request, which the core shows by now; null for every other request. */
function askedToSee(name: AppRequest, input: unknown, output: unknown): string | null {
  const definition: RequestDefinition = appApi[name];
  if (definition.shows !== true) return null;
  const { id } = definition.output.parse(output) as { id?: string | null };
  return id === undefined ? (input as { id: string }).id : id;
}
