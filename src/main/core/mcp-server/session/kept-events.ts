/** How many events of one session can be replayed. */
const keptEvents = 256;

/** One event of a stream, as it went out. */
export interface KeptEvent {
  id: string;
  /** The text of one message; empty for the event that only names a place. */
  data: string;
}

/** The latest events of one session, in memory, for streams that are resumed where they ended (MCP, Resumability). */
export interface KeptEvents {
  /** Keeps an event of a stream and gives its id. */
  keep(stream: string, data: string): string;
  /** Whether a stream can be resumed after this event. */
  has(id: string): boolean;
  /** The stream of this event and what came after it there; null where it is not kept any more. */
  after(id: string): { stream: string; events: KeptEvent[] } | null;
}

/** Nothing is kept yet. */
export function createKeptEvents(): KeptEvents {
  const events = new Map<string, KeptEvent & { stream: string }>();
  let count = 0;
  return {
    keep(stream, data) {
      count += 1;
      const id = String(count);
      events.set(id, { id, stream, data });
      events.delete(String(count - keptEvents));
      return id;
    },
    has: (id) => events.has(id),
    after(id) {
      const found = events.get(id);
      if (found === undefined) return null;
      const { stream } = found;
      const later = [...events.values()].filter((event) => Number(event.id) > Number(id));
      return { stream, events: later.filter((event) => event.stream === stream && event.data !== '') };
    },
  };
}
