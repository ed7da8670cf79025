import { chmodSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { serveHost, type HostLink, type ServeHostOptions } from '#core/host-link/index.ts';
import type { CoreMessage, Display } from '#shared/host-api/index.ts';
import { jsonLines } from '#test/servers/json-lines.ts';

/** The link between an app and its core, which runs in this process. A scenario can observe and delay its messages. */
export interface CoreLine {
  /** The path of the socket for the app. */
  path: string;
  /** Resolves with the next confirmation that the core sends to the app. */
  nextDisplay(): Promise<Display>;
  /** Returns the number of decisions that the app has sent. */
  decisions(): number;
  /** From now on the core is not told what the person sees, until `release`. */
  holdSeen(): { release(): void };
  /** Ends the core. The app then starts another, which waits until `meanwhile` has returned. */
  restart(meanwhile?: () => void): Promise<void>;
  /** Ends the core and allows no other. */
  cut(): Promise<void>;
  /** Ends everything and refuses new connections. */
  close(): Promise<void>;
}

interface Ask {
  kind?: string;
  surface?: string;
  name?: string;
}

/** Opens the link's socket in a folder that the app can reach. Every connection starts a core. */
export async function openCoreLine(
  folder: string,
  served: Omit<ServeHostOptions, 'port'>,
): Promise<CoreLine> {
  const path = join(folder, 'core.sock');
  const links = new Set<{ link: HostLink; socket: Socket }>();
  const awaited = new Set<(display: Display) => void>();
  let held: (() => void)[] | null = null;
  let decisions = 0;
  let isCut = false;

  function look(message: CoreMessage): void {
    if (message.kind !== 'show') return;
    for (const resolve of awaited) resolve(message.display);
    awaited.clear();
  }

  function pass(message: Ask, deliver: () => void): void {
    const name = message.kind === 'ask' && message.surface === 'confirmation' ? message.name : undefined;
    if (name === 'decide') decisions += 1;
    if (name === 'seen' && held !== null) held.push(deliver);
    else deliver();
  }

  const server = createServer((socket) => {
    if (isCut) return void socket.destroy();
    const lines = jsonLines(socket);
    const link = serveHost({
      port: {
        send(message) {
          look(message);
          lines.send(message);
        },
        onMessage: (listener) => lines.onMessage((message) => pass(message as Ask, () => listener(message))),
        onClose: lines.onClose,
      },
      ...served,
    });
    const entry = { link, socket };
    links.add(entry);
    void link.ended.then(() => {
      links.delete(entry);
      lines.close();
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  // The app may run as another user than the test.
  chmodSync(path, 0o777);

  async function endAll(): Promise<void> {
    for (const { link, socket } of links) {
      socket.destroy();
      link.quit();
      await link.ended;
    }
  }

  return {
    path,
    nextDisplay: () => new Promise((resolve) => void awaited.add(resolve)),
    decisions: () => decisions,
    holdSeen() {
      held = [];
      return {
        release() {
          const waiting = held ?? [];
          held = null;
          for (const deliver of waiting) deliver();
        },
      };
    },
    async restart(meanwhile) {
      isCut = true;
      await endAll();
      meanwhile?.();
      isCut = false;
    },
    async cut() {
      isCut = true;
      await endAll();
    },
    async close() {
      isCut = true;
      await endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
