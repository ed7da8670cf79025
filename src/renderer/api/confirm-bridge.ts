import { type CallsOf, handlersBy } from '#shared/app-api/index.ts';
import { type ConfirmApi, confirmApi, type ConfirmPreload } from '#shared/host-api/index.ts';
import { outputOfHost } from './bridge.ts';

declare global {
  interface Window {
    /** In the confirmation window of the desktop host only. */
    readonly countersignConfirm?: ConfirmPreload;
  }
}

/**
 * The requests of the confirmation page, about its own showing only. Every call fails with an `AppError`;
 * `core_unreachable` means that no answer came.
 */
export interface ConfirmBridge extends CallsOf<ConfirmApi> {
  /** Calls back when the window is reused for another showing. Returns the unsubscribe function. */
  onReopened(listener: () => void): () => void;
  /** Calls back with how many showings wait behind this one, where the host shows one after the other. */
  onWaiting(listener: (count: number) => void): () => void;
}

/** The calls of a bridge over one function that asks the host. Nothing of another shape is taken for an answer. */
export const confirmCalls = (
  ask: (name: keyof ConfirmApi, input: unknown) => Promise<unknown>,
): CallsOf<ConfirmApi> =>
  handlersBy(confirmApi, async (name, input) => confirmApi[name].output.parse(await ask(name, input)));

/**
 * The confirmation bridge of the desktop host, over what the preload of its window offers. The showing comes by IPC alone:
 * no address, storage or other window ever holds its nonce.
 */
export function createDesktopConfirmBridge(host: ConfirmPreload): ConfirmBridge {
  const { onReopened, onWaiting } = host;
  return { ...confirmCalls((name, input) => outputOfHost(host.ask(name, input))), onReopened, onWaiting };
}
