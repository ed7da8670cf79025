export { createIpc } from './create-ipc.ts';
export type { Channel, InputSchema, Ipc, RawIpc } from './registrar.ts';
export type { ExpectedPage, Frame, SenderEvent } from './sender.ts';
export { setUpAppIpc } from './app-ipc.ts';
export { setUpDesktopIpc } from './desktop-ipc.ts';
