import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createTurns } from '../turns.ts';

/** The requests of one connection that have been read and not been answered. */
interface Line {
  waiting: (() => void)[];
  /** How many came that were too many. */
  refused: number;
}

/** Calls `go` when the request of this answer is next on its connection. */
export type TakeInTurn = (request: IncomingMessage, response: ServerResponse, go: () => void) => void;

/**
 * Serves the requests of one connection one after the other. A sender that writes thousands at once (HTTP pipelining,
 * RFC 9112 §9.3.2) gets one in each turn of the event loop, whatever number of connections it uses, and other connections are
 * answered meanwhile. When more than `maxWaiting` wait, `refuse` answers the next one, in its turn, and ends the connection;
 * a sender that goes on as far again is cut off at once.
 */
export function inTurn(maxWaiting: number, refuse: (response: ServerResponse) => void): TakeInTurn {
  const lines = new WeakMap<Socket, Line>();
  const nextTurn = createTurns();

  const serve = (socket: Socket, line: Line, { response, go }: Served): void => {
    response.once('close', () => {
      const next = line.waiting.shift();
      if (next === undefined && line.refused === 0) lines.delete(socket);
      if (next !== undefined) void nextTurn().then(() => (socket.destroyed ? undefined : next()));
    });
    go();
  };

  return (request, response, go) => {
    const { socket } = request;
    const line = lines.get(socket);
    if (line === undefined) {
      const first = { waiting: [], refused: 0 };
      lines.set(socket, first);
      serve(socket, first, { response, go });
    } else if (line.waiting.length < maxWaiting) {
      line.waiting.push(() => serve(socket, line, { response, go }));
    } else {
      line.refused += 1;
      if (line.refused === 1) refuse(response);
      if (line.refused > maxWaiting) socket.destroy();
    }
  };
}

interface Served {
  response: ServerResponse;
  go(): void;
}
