export { readEvents, UnreadableStream } from './event-stream.ts';
export { createRemoteClient } from './remote-client.ts';
export type { RemoteClient } from './remote-client.ts';
export type { CallOptions, CallProgress, ChangedList, RemoteServerInfo } from './session.ts';
