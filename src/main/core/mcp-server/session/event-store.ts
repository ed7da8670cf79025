import type { EventStore } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** How many events of one session can be replayed. */
const keptEvents = 256;

/** The latest events of one session, in memory, for streams that are resumed where they ended (MCP, Resumability). */
export interface KeptEvents {
  /**
   * For the SDK. It does not say which stream an event belongs to before it replays: then the SDK would refuse who comes back
   * before the loss of the old connection was noticed, instead of ending that one.
   */
  store: EventStore;
  /** Whether a stream can be resumed after this event. */
  has(id: string): boolean;
}

/** Nothing is kept yet. */
export function createKeptEvents(): KeptEvents {
  const events = new Map<string, { streamId: string; message: JSONRPCMessage }>();
  let count = 0;
  const store: EventStore = {
    async storeEvent(streamId, message) {
      count += 1;
      const id = String(count);
      events.set(id, { streamId, message });
      events.delete(String(count - keptEvents));
      return id;
    },
    async replayEventsAfter(lastEventId, { send }) {
      const streamId = events.get(lastEventId)?.streamId;
      if (streamId === undefined) throw new Error('The event is not kept any more');
      for (const [id, event] of events) {
        if (event.streamId !== streamId || Number(id) <= Number(lastEventId)) continue;
        // The event that opens a stream has no message.
        if ('jsonrpc' in event.message) await send(id, event.message);
      }
      return streamId;
    },
  };
  return { store, has: (id) => events.has(id) };
}
