import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import { appRequestNames, type AppEvent } from '#shared/app-api/index.ts';
import {
  appChannel,
  appPushes,
  coreStateNowChannel,
  desktopChannel,
  desktopRequestNames,
  type HostAnswer,
  type AppPreload,
  type AppPush,
  type CoreState,
  type DesktopRequest,
  type MenuCommand,
  type PagePlace,
  type RealWork,
  type UpdatesView,
} from '#shared/host-api/index.ts';

type Ask = (input: unknown) => Promise<HostAnswer>;

const asker =
  (channel: string): Ask =>
  (input) =>
    ipcRenderer.invoke(channel, input);

/** One function for each name, and nothing that takes a channel. */
function askers<N extends string>(names: readonly N[], channelOf: (name: N) => string): Record<N, Ask> {
  return Object.freeze(Object.fromEntries(names.map((name) => [name, asker(channelOf(name))]))) as Record<
    N,
    Ask
  >;
}

/** Hands on the payload, never the event, which carries the sender. */
function listen(push: AppPush, listener: (payload: unknown) => void): () => void {
  const called = (_event: IpcRendererEvent, payload: unknown): void => listener(payload);
  ipcRenderer.on(push, called);
  return () => void ipcRenderer.off(push, called);
}

/** The current state, unless a change came before that answer: the change is newer. */
function listenToCoreState(place: PagePlace, listener: (state: CoreState) => void): () => void {
  let isOutdated = false;
  const stop = listen(appPushes.coreState, (state) => {
    isOutdated = true;
    listener(state as CoreState);
  });
  let stopped = false;
  void asker(coreStateNowChannel(place))({}).then((answer) => {
    if (!isOutdated && !stopped && 'output' in answer) listener(answer.output as CoreState);
  });
  return () => {
    stopped = true;
    stop();
  };
}

/** Offers the page of a place everything that it can reach: named functions, which it can call and not change. */
export function exposeApp(place: PagePlace): void {
  const bridge: AppPreload = {
    requests: askers(appRequestNames, (name) => appChannel(place, name)),
    desktop: askers<DesktopRequest>(desktopRequestNames[place], (name) => desktopChannel(place, name)),
    onEvent: (listener) => listen(appPushes.event, (event) => listener(event as AppEvent)),
    onCoreState: (listener) => listenToCoreState(place, listener),
    onMenuCommand: (listener) => listen(appPushes.menuCommand, (command) => listener(command as MenuCommand)),
    onRealWork: (listener) => listen(appPushes.realWork, (work) => listener(work as RealWork)),
    onUpdates: (listener) => listen(appPushes.updates, (updates) => listener(updates as UpdatesView)),
  };
  contextBridge.exposeInMainWorld('countersign', Object.freeze(bridge));
}
