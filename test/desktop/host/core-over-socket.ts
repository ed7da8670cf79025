import { connect } from 'node:net';
import type { CoreProcess } from '#electron/core-link/core-process.ts';
import { jsonLines } from '#test/servers/json-lines.ts';

/** A core in the test's own process, at the other end of a socket. */
export function coreOverSocket(path: string): CoreProcess {
  const socket = connect(path);
  const lines = jsonLines(socket);
  return {
    send: lines.send,
    onMessage: lines.onMessage,
    onExit: (listener) => lines.onClose(() => listener(null)),
    kill: () => void socket.destroy(),
  };
}
