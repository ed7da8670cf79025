import { chmodSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { serveHost, type ServeHostOptions } from '#core/host-link/index.ts';
import type { Decision } from '#shared/host-api/index.ts';
import { jsonLines } from '#test/servers/json-lines.ts';

/** A core in the test's process behind the app's link: it can be asked from behind the app's back, as agents will. */
export interface ReachableCore {
  /** The socket's path, for the app. */
  path: string;
  /** The core shows this proposal, and no person pressed anything. */
  show(proposalId: string): void;
  /** The decisions that have reached the core. */
  decisions: Decision[];
  /** Waits until the page of the confirmation has drawn a showing that `act` brings about. A window that comes up has come up then. */
  drawnAfter(act: () => void): Promise<void>;
  /** The core is gone from one moment to the next; the app may connect to another one. */
  drop(): void;
  close(): Promise<void>;
}

/** Asks of the test are numbered where the app's never are. */
const firstId = 1_000_000_000;

/** Serves one core, the real one by default, in a folder that the app can reach. */
export async function serveReachableCore(
  folder: string,
  served: Omit<ServeHostOptions, 'port'>,
): Promise<ReachableCore> {
  const path = join(folder, 'core.sock');
  const decisions: Decision[] = [];
  let seen = 0;
  let ask = (_name: string, _input: unknown): void => {
    throw new Error('The app has not connected yet');
  };

  const ended: (() => Promise<void>)[] = [];
  let drop = (): void => undefined;
  const server = createServer((socket) => {
    const lines = jsonLines(socket);
    let asked = firstId;
    const link = serveHost({
      port: {
        send: lines.send,
        onMessage(listener) {
          ask = (name, input) => listener({ kind: 'ask', id: (asked += 1), surface: 'app', name, input });
          lines.onMessage((message) => {
            const { surface, name, input } = message as { surface?: string; name?: string; input?: unknown };
            if (surface === 'confirmation' && name === 'decide') decisions.push(input as Decision);
            if (surface === 'confirmation' && name === 'seen') seen += 1;
            listener(message);
          });
        },
        onClose: lines.onClose,
      },
      ...served,
    });
    // The app waits for its core's end before it quits.
    void link.ended.then(() => lines.close());
    drop = () => void socket.destroy();
    ended.push(async () => {
      socket.destroy();
      await link.ended;
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  // The app may belong to another user than the test.
  chmodSync(path, 0o777);
  return {
    path,
    show: (id) => ask('proposals.review', { id }),
    decisions,
    async drawnAfter(act) {
      const before = seen;
      act();
      await expect.poll(() => seen).toBeGreaterThan(before);
    },
    drop: () => drop(),
    async close() {
      await Promise.all(ended.map((end) => end()));
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
