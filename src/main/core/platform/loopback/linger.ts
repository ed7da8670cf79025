import { Socket } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Reads and forgets the rest of a body whose answer came early, for at most `lingerMs`: a connection that ends over
 * unread bytes is reset, and the answer is lost with it. Our own side ends at once where the answer says so.
 */
export function lingerAfterAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  lingerMs: number,
): void {
  const { socket } = request;
  // Node's way to end a connection after its last answer; it does not ask what is still on its way.
  socket.destroySoon = () => {
    if (request.complete) Socket.prototype.destroySoon.call(socket);
    else socket.end();
  };
  response.once('finish', () => {
    if (request.complete) return;
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    timer.unref();
    request.once('close', () => clearTimeout(timer));
    request.once('end', () => {
      clearTimeout(timer);
      if (socket.writableEnded) socket.destroySoon();
    });
    request.resume();
  });
}
