import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Ask } from './serving-process.ts';

export interface Served {
  uid: number;
  /** Returns the URL of `/xml/stats` or of the Search report, with a key that may read everything. */
  addressOf(path: string, parameters: Record<string, string | number>): string;
  /** Starts to watch the memory of the process; resolves with its bytes now. */
  watch(): Promise<number>;
  /** Resolves with the largest number of bytes seen since `watch`. */
  peak(): Promise<number>;
  end(): Promise<void>;
}

/** Serves a database file in a process of its own until `end`. */
export async function serve(file: string): Promise<Served> {
  const child = fork(new URL('./serving-process.ts', import.meta.url));
  const ask = async <T>(message: Ask): Promise<T> => {
    child.send(message);
    const [answer] = (await once(child, 'message')) as [T];
    return answer;
  };
  const { port, uid, key } = await ask<{ port: number; uid: number; key: string }>({ ask: 'serve', file });
  return {
    uid,
    addressOf(path, parameters) {
      const query = Object.entries(parameters).map(([name, value]) => `&${name}=${value}`);
      return `http://127.0.0.1:${port}${path}?token=${key}${query.join('')}`;
    },
    watch: () => ask({ ask: 'watch' }),
    peak: () => ask({ ask: 'peak' }),
    async end() {
      child.send({ ask: 'end' } satisfies Ask);
      await once(child, 'exit');
    },
  };
}
