import { appApi, appRequestNames, type AppRequest } from '#shared/app-api/index.ts';
import {
  appChannel,
  appPushes,
  coreStateNowChannel,
  desktopOrigins,
  emptyInputSchema,
} from '#shared/host-api/index.ts';
import type { CoreSupervisor } from '../core-link/index.ts';
import type { AppPage } from './app-page.ts';
import { askedToSee } from './asked-to-see.ts';
import type { InputSchema, Ipc } from './registrar.ts';

export interface AppIpcOptions {
  ipc: Ipc;
  core: Pick<CoreSupervisor, 'state' | 'ask' | 'onEvent' | 'onState'>;
  appWindow: AppPage;
  /** A person asked to see this proposal, and the core shows it. */
  onReview(proposalId: string): void;
}

/** Serves the app API to the app's page and to nobody else, and tells that page what the core says. */
export function setUpAppIpc({ ipc, core, appWindow, onReview }: AppIpcOptions): () => void {
  const from = { webContents: () => appWindow.webContents(), origin: desktopOrigins.app };
  const serve = (name: AppRequest, schema: InputSchema<unknown>): (() => void) =>
    ipc.handle({
      channel: appChannel(name),
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
    ipc.handle({ channel: coreStateNowChannel, from, schema: emptyInputSchema, run: () => core.state() }),
    core.onEvent((event) => appWindow.send(appPushes.event, event)),
    core.onState((state) => appWindow.send(appPushes.coreState, state)),
  ]);
}

function endAll(stops: readonly (() => void)[]): () => void {
  return () => stops.forEach((stop) => stop());
}
