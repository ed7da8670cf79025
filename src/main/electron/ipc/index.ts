import { ipcMain } from 'electron';
import type { DesktopLog } from '../platform/log.ts';
import { createRegistrar, type Ipc } from './registrar.ts';

/** Makes the registrar over Electron's `ipcMain`. Call once: there is no other channel. */
export const createIpc = (log: DesktopLog): Ipc => createRegistrar(ipcMain, log);

export { setUpAppIpc } from './app-ipc.ts';
export type { CommonHandlerOptions } from './desktop-ipc.ts';
export { commonHandlers, setUpDesktopIpc, trainingHandlers, workHandlers } from './desktop-ipc.ts';
export { nativeSaveTarget, stagingFolders } from './native-saves.ts';
export type { ExpectedPage, Frame, Ipc, RawIpc, SenderEvent, ServedSurface } from './registrar.ts';
export { createSaver } from './saver.ts';
export type { SaverOptions } from './saver.ts';
