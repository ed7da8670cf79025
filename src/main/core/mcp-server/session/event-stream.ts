import type { ServerResponse } from 'node:http';
import { commonHeaders } from '#core/platform/loopback/guards.ts';

/** One HTTP answer that carries server-sent events (HTML Standard §9.2). */
export interface EventStream {
  /** Writes one message. An empty text only sends an id for resuming. Does nothing once the stream has ended. */
  write(data: string, place?: EventPlace): void;
  end(): void;
}

interface EventPlace {
  id: string;
  retryMs?: number;
}

interface StreamOptions {
  sessionId: string | null;
  keepAliveMs: number;
  /** Time after which the headers are sent, in milliseconds, unless the stream ends before; 0 sends them at once. */
  heldMs: number;
  onEnd(): void;
}

/**
 * The most unsent bytes for a client that does not read. The next message ends the connection, so that the memory stays
 * limited.
 */
const maxUnsentBytes = 8 * 1024 * 1024;
const idleKeepAlives = 4;

/** Opens a stream. A stream that ends before its headers are sent is written at once, which costs both sides less. */
export function openEventStream(response: ServerResponse, options: StreamOptions): EventStream {
  const { sessionId, keepAliveMs, heldMs, onEnd } = options;
  const headers = sessionId === null ? streamHeaders : { ...streamHeaders, 'mcp-session-id': sessionId };
  const held: string[] = [];
  let isOver = false;
  let alive: NodeJS.Timeout | null = null;

  const open = (): void => {
    response.writeHead(200, headers).flushHeaders();
    if (held.length > 0) response.write(held.join(''));
    alive = setInterval(() => put(': keepalive\n\n'), keepAliveMs).unref();
  };
  const opening = heldMs === 0 ? null : setTimeout(open, heldMs);
  if (opening === null) open();

  function put(text: string): void {
    if (isOver) return;
    if (!response.headersSent) held.push(text);
    else if (response.writableLength <= maxUnsentBytes) response.write(text);
    else {
      response.destroy();
      over();
    }
  }

  function over(): boolean {
    if (isOver) return false;
    isOver = true;
    if (opening !== null) clearTimeout(opening);
    if (alive !== null) clearInterval(alive);
    onEnd();
    return true;
  }

  response.once('close', over);
  return {
    write: (data, place) => put(textOf(data, place)),
    end() {
      if (!over()) return;
      if (response.headersSent) response.end();
      else {
        const whole = held.join('');
        response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(whole) }).end(whole);
      }
      endUnread(response, keepAliveMs);
    },
  };
}

/** Closes the connection of an ended answer if its client reads nothing more of it for several keep-alive intervals. */
export function endUnread(response: ServerResponse, keepAliveMs: number): void {
  if (response.writableLength === 0) return;
  response.setTimeout(idleKeepAlives * keepAliveMs, () => response.destroy());
}

const streamHeaders = {
  ...commonHeaders,
  'content-type': 'text/event-stream',
  'x-accel-buffering': 'no',
};

function textOf(data: string, { id, retryMs }: Partial<EventPlace> = {}): string {
  const type = data === '' ? '' : 'event: message\n';
  const place = id === undefined ? '' : `id: ${id}\n`;
  const retry = retryMs === undefined ? '' : `retry: ${retryMs}\n`;
  return `${type}${place}${retry}data: ${data}\n\n`;
}

const maxBufferedEvents = 256;

interface BufferedEvent {
  id: string;
  data: string;
}

/** The latest events of one session, in memory, for resumed streams (MCP, Resumability). */
export interface EventBuffer {
  keep(stream: string, data: string): string;
  has(id: string): boolean;
  /** The stream of this event and its later events; null if the event is no longer buffered. */
  after(id: string): { stream: string; events: BufferedEvent[] } | null;
}

export function createEventBuffer(): EventBuffer {
  const events = new Map<string, BufferedEvent & { stream: string }>();
  let count = 0;
  return {
    keep(stream, data) {
      count += 1;
      const id = String(count);
      events.set(id, { id, stream, data });
      events.delete(String(count - maxBufferedEvents));
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
