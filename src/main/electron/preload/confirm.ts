import { contextBridge, ipcRenderer } from 'electron';
import {
  confirmPushes,
  requestChannel,
  type ConfirmPreload,
  type ConfirmPush,
} from '#shared/host-api/index.ts';

function listen(push: ConfirmPush, listener: (payload: unknown) => void): () => void {
  const onPush = (_event: unknown, payload: unknown): void => listener(payload);
  ipcRenderer.on(push, onPush);
  return () => void ipcRenderer.off(push, onPush);
}

const bridge: ConfirmPreload = {
  ask: (name, input) => ipcRenderer.invoke(requestChannel(location.origin, 'confirm'), name, input),
  onReopened: (listener) => listen(confirmPushes.reopened, () => listener()),
  onWaiting: (listener) => listen(confirmPushes.waiting, (count) => listener(Number(count))),
};
contextBridge.exposeInMainWorld('countersignConfirm', Object.freeze(bridge));
