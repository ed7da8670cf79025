import { type CallsOf, handlersBy } from '#shared/app-api/index.ts';
import { type ConfirmApi, confirmApi, type ConfirmPreload } from '#shared/host-api/index.ts';
import { outputOfHost } from './bridge.ts';

declare global {
  interface Window {
    /** Present only in the confirmation window of the desktop host. */
    readonly countersignConfirm?: ConfirmPreload;
  }
}

/** Requests of the confirmation page. Every call fails with an `AppError`; `core_unreachable` means no answer. */
export interface ConfirmBridge extends CallsOf<ConfirmApi> {
  /** Calls back when the window is reused for another showing. Returns the unsubscribe function. */
  onReopened(listener: () => void): () => void;
  /** Calls back with the number of showings in the queue behind this one. */
  onWaiting(listener: (count: number) => void): () => void;
}

export const confirmCalls = (
  ask: (name: keyof ConfirmApi, input: unknown) => Promise<unknown>,
): CallsOf<ConfirmApi> =>
  handlersBy(confirmApi, async (name, input) => confirmApi[name].output.parse(await ask(name, input)));

/** The showing arrives by IPC only: no address, storage or other window ever contains its nonce. */
export function createDesktopConfirmBridge(host: ConfirmPreload): ConfirmBridge {
  const { onReopened, onWaiting } = host;
  return { ...confirmCalls((name, input) => outputOfHost(host.ask(name, input))), onReopened, onWaiting };
}
