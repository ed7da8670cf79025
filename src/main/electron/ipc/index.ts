export { setUpAppIpc } from './app-ipc.ts';
export type { CommonHandlerOptions } from './desktop-ipc.ts';
export { commonHandlers, setUpDesktopIpc, trainingHandlers, workHandlers } from './desktop-ipc.ts';
export { nativeSaveTarget, stagingFolders } from './native-saves.ts';
export { createRegistrar } from './registrar.ts';
export type { ExpectedPage, Frame, Ipc, RawIpc, SenderEvent, ServedSurface } from './registrar.ts';
export { createSaver } from './saver.ts';
export type { SaverOptions } from './saver.ts';
