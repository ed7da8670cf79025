import { type PagePort, setUpConfirmIpc } from '#electron/confirmation/confirm-ipc.ts';
import { createRegistrar, type RawIpc, type SenderEvent } from '#electron/ipc/registrar.ts';
import {
  type ConfirmRequest,
  desktopOrigins,
  type HostAnswer,
  requestChannel,
} from '#shared/host-api/index.ts';

/** All senders that may try to act as the confirmation's page. */
export type SenderName =
  'own page' | 'other window' | 'other window of our origin' | 'sub-frame' | 'no frame';

/** The confirmation's channels behind the real registrar, and senders to try them with. */
export interface ConfirmIpcUnderTest {
  send(name: ConfirmRequest, input: unknown, sender?: SenderName): Promise<HostAnswer>;
  /** Navigates the confirmation's window to another origin. */
  strayTo(origin: string): void;
  /** Arguments of every log call. */
  logged: unknown[];
}

export function createConfirmIpc(port: PagePort): ConfirmIpcUnderTest {
  const handlers = new Map<string, Parameters<RawIpc['handle']>[1]>();
  const logged: unknown[] = [];
  const note = (...line: unknown[]): void => void logged.push(line);
  const windowAt = (origin: string) => ({ mainFrame: { origin, parent: null } });
  const own = windowAt(desktopOrigins.confirm);
  const app = windowAt(desktopOrigins.app);
  const double = windowAt(desktopOrigins.confirm);
  const senders: Record<SenderName, SenderEvent> = {
    'own page': { sender: own, senderFrame: own.mainFrame },
    'other window': { sender: app, senderFrame: app.mainFrame },
    'other window of our origin': { sender: double, senderFrame: double.mainFrame },
    'sub-frame': { sender: own, senderFrame: { origin: desktopOrigins.confirm, parent: own.mainFrame } },
    'no frame': { sender: own, senderFrame: null },
  };
  setUpConfirmIpc({
    ipc: createRegistrar(
      {
        handle: (channel, listener) => void handlers.set(channel, listener),
        removeHandler: (channel) => void handlers.delete(channel),
      },
      { info: note, warn: note },
    ),
    place: 'work',
    webContents: () => own,
    port,
  });

  return {
    async send(name, input, sender = 'own page') {
      const handler = handlers.get(requestChannel(desktopOrigins.confirm, 'confirm'));
      if (handler === undefined) throw new Error('The confirmation is not served');
      return handler(senders[sender], name, input);
    },
    strayTo: (origin) => void (own.mainFrame.origin = origin),
    logged,
  };
}
