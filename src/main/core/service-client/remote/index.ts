export { readEvents, UnreadableStream } from './event-stream.ts';
export { createRemoteClient } from './remote-client.ts';
export type {
  CallOptions,
  CallProgress,
  ChangedList,
  RemoteClient,
  RemoteServerInfo,
} from './remote-client.ts';
