import { ipcMain } from 'electron';
import type { DesktopLog } from '../platform/log.ts';
import { createRegistrar, type Ipc } from './registrar.ts';

/** Channels that packages open by themselves, without looking at who asks. */
const uninvited = ['electron-store-get-data'];

/** Makes the registrar over Electron's `ipcMain`. Call once, after the settings are open: there is no other channel. */
export function createIpc(log: DesktopLog): Ipc {
  for (const channel of uninvited) ipcMain.removeAllListeners(channel);
  return createRegistrar(ipcMain, log);
}
