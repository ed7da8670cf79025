import { contextBridge, ipcRenderer } from 'electron';
import {
  confirmChannels,
  confirmPushes,
  type Answer,
  type ConfirmPreload,
  type ConfirmPush,
} from '#shared/host-api/index.ts';

const ask = (channel: string, input: unknown): Promise<Answer> => ipcRenderer.invoke(channel, input);

/** The listener gets the payload alone: an event would carry a sender with it. */
function listen(push: ConfirmPush, listener: (payload: unknown) => void): () => void {
  const onPush = (_event: unknown, payload: unknown): void => listener(payload);
  ipcRenderer.on(push, onPush);
  return () => void ipcRenderer.off(push, onPush);
}

/** Everything that the confirmation's page can reach: named functions, which a page can call and not change. */
const bridge: ConfirmPreload = {
  open: () => ask(confirmChannels.open, {}),
  look: (seen) => ask(confirmChannels.look, seen),
  seen: (seen) => ask(confirmChannels.seen, seen),
  picture: (wanted) => ask(confirmChannels.picture, wanted),
  prepareAgain: (seen) => ask(confirmChannels.prepareAgain, seen),
  undo: (seen) => ask(confirmChannels.undo, seen),
  turn: (turn) => ask(confirmChannels.turn, turn),
  decide: (decision) => ask(confirmChannels.decide, decision),
  close: () => ask(confirmChannels.close, {}),
  onReopened: (listener) => listen(confirmPushes.reopened, () => listener()),
  onWaiting: (listener) => listen(confirmPushes.waiting, (count) => listener(Number(count))),
};

contextBridge.exposeInMainWorld('countersignConfirm', Object.freeze(bridge));
