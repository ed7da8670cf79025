export { setUpAppIpc } from './app-ipc.ts';
export { createIpc } from './create-ipc.ts';
export type { DesktopIpcOptions } from './desktop-ipc.ts';
export { setUpDesktopIpc, setUpTrainingIpc, setUpWorkIpc } from './desktop-ipc.ts';
export { nativeSaveTarget, stagingFolders } from './native-saves.ts';
export type { Channel, ExpectedPage, Frame, Ipc, RawIpc, SenderEvent } from './registrar.ts';
export { createSaver } from './saver.ts';
export type { SaverOptions } from './saver.ts';
