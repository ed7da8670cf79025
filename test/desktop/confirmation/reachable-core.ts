import { chmodSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { serveHost, type ServeHostOptions } from '#core/host-link/index.ts';
import type { Decision } from '#shared/host-api/index.ts';
import { jsonLines } from '#test/servers/json-lines.ts';

/** A core in the test's process behind the app's link. The test can send requests without the app, as agents do. */
export interface ReachableCore {
  /** The path of the socket for the app. */
  path: string;
  /** Makes the core show this proposal without an action of the person. */
  show(proposalId: string): void;
  /** The decisions that have reached the core. */
  decisions: Decision[];
  /**
   * Waits until the confirmation's page has drawn the confirmation that `act` causes. By then a window that opens for it is
   * visible.
   */
  drawnAfter(act: () => void): Promise<void>;
  /** Drops the link at once, as if the core had crashed. The app may connect to another core. */
  drop(): void;
  close(): Promise<void>;
}

/** The test's requests have numbers that the app never reaches. */
const firstId = 1_000_000_000;

/** Serves one core, by default a real one, in a folder that the app can reach. */
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
    // The app waits for the end of its core before it quits.
    void link.ended.then(() => lines.close());
    drop = () => void socket.destroy();
    ended.push(async () => {
      socket.destroy();
      await link.ended;
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  // The app may run as another user than the test.
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
