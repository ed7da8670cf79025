import { ipcMain } from 'electron';
import type { DesktopLog } from '../platform/log.ts';
import { createRegistrar, type Ipc } from './registrar.ts';

/** Makes the registrar over Electron's `ipcMain`. Call once: there is no other channel. */
export function createIpc(log: DesktopLog): Ipc {
  return createRegistrar(ipcMain, log);
}
