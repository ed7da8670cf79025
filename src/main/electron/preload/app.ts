import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import type { AppEvent } from '#shared/app-api/index.ts';
import {
  appPushes,
  requestChannel,
  type HostAnswer,
  type AppPreload,
  type AppPush,
  type CoreState,
  type DesktopRequest,
  type MenuCommand,
  type RealWork,
  type UpdatesView,
} from '#shared/host-api/index.ts';

/** Passes only the payload to the page. The event would give the page access to the sender. */
function listen(push: AppPush, listener: (payload: unknown) => void): () => void {
  const called = (_event: IpcRendererEvent, payload: unknown): void => listener(payload);
  ipcRenderer.on(push, called);
  return () => void ipcRenderer.off(push, called);
}

const askHost = (name: DesktopRequest, input: unknown): Promise<HostAnswer> =>
  ipcRenderer.invoke(requestChannel(location.origin, 'host'), name, input);

/** Reports the current state, unless a change arrives before the answer, because the change is newer. */
function listenToCoreState(listener: (state: CoreState) => void): () => void {
  let isOutdated = false;
  const stop = listen(appPushes.coreState, (state) => {
    isOutdated = true;
    listener(state as CoreState);
  });
  let stopped = false;
  void askHost('desktop.coreState', {}).then((answer) => {
    if (!isOutdated && !stopped && 'output' in answer) listener(answer.output as CoreState);
  });
  return () => {
    stopped = true;
    stop();
  };
}

/** Everything that an app page can reach. The page cannot change these functions, and none of them accepts a channel name. */
const bridge: AppPreload = {
  ask: (name, input) => ipcRenderer.invoke(requestChannel(location.origin, 'app'), name, input),
  askHost,
  onEvent: (listener) => listen(appPushes.event, (event) => listener(event as AppEvent)),
  onCoreState: listenToCoreState,
  onMenuCommand: (listener) => listen(appPushes.menuCommand, (command) => listener(command as MenuCommand)),
  onRealWork: (listener) => listen(appPushes.realWork, (work) => listener(work as RealWork)),
  onUpdates: (listener) => listen(appPushes.updates, (updates) => listener(updates as UpdatesView)),
};
contextBridge.exposeInMainWorld('countersign', Object.freeze(bridge));
