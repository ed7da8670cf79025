import { contextBridge, ipcRenderer } from 'electron';
import {
  confirmChannel,
  confirmPushes,
  type HostAnswer,
  type ConfirmPreload,
  type ConfirmPush,
  type ConfirmRequest,
  type PagePlace,
} from '#shared/host-api/index.ts';

/** The listener gets the payload alone: an event would carry a sender with it. */
function listen(push: ConfirmPush, listener: (payload: unknown) => void): () => void {
  const onPush = (_event: unknown, payload: unknown): void => listener(payload);
  ipcRenderer.on(push, onPush);
  return () => void ipcRenderer.off(push, onPush);
}

/** Offers the confirmation's page of a place everything that it can reach: named functions, which it can call and not change. */
export function exposeConfirm(place: PagePlace): void {
  const ask = (name: ConfirmRequest, input: unknown): Promise<HostAnswer> =>
    ipcRenderer.invoke(confirmChannel(place, name), input);
  const bridge: ConfirmPreload = {
    open: () => ask('open', {}),
    look: (seen) => ask('look', seen),
    seen: (seen) => ask('seen', seen),
    picture: (wanted) => ask('picture', wanted),
    targets: (wanted) => ask('targets', wanted),
    prepareAgain: (seen) => ask('prepareAgain', seen),
    undo: (seen) => ask('undo', seen),
    turn: (turn) => ask('turn', turn),
    decide: (decision) => ask('decide', decision),
    close: () => ask('close', {}),
    onReopened: (listener) => listen(confirmPushes.reopened, () => listener()),
    onWaiting: (listener) => listen(confirmPushes.waiting, (count) => listener(Number(count))),
  };
  contextBridge.exposeInMainWorld('countersignConfirm', Object.freeze(bridge));
}
