import {
  confirmChannels,
  decisionSchema,
  desktopOrigins,
  emptyInputSchema,
  seenSchema,
} from '#shared/host-api/index.ts';
import type { Ipc } from '../ipc/index.ts';
import type { PagePort } from './page-port.ts';

export interface ConfirmIpcOptions {
  ipc: Ipc;
  /** The contents of the confirmation's window, compared by identity; null while there is none. */
  webContents(): object | null;
  port: PagePort;
}

/** Serves the confirmation's own page, and nobody else. Returns the way to stop. */
export function setUpConfirmIpc({ ipc, webContents, port }: ConfirmIpcOptions): () => void {
  const from = { webContents, origin: desktopOrigins.confirm };
  const { open, look, seen, decide, close } = confirmChannels;
  const stops = [
    ipc.handle({ channel: open, from, schema: emptyInputSchema, run: () => port.open() }),
    ipc.handle({ channel: look, from, schema: seenSchema, run: (input) => port.look(input) }),
    ipc.handle({ channel: seen, from, schema: seenSchema, run: (input) => port.seen(input) }),
    ipc.handle({ channel: decide, from, schema: decisionSchema, run: (input) => port.decide(input) }),
    ipc.handle({ channel: close, from, schema: emptyInputSchema, run: () => port.close() }),
  ];
  return () => stops.forEach((stop) => stop());
}
