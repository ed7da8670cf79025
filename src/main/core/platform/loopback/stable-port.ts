import { randomInt } from 'node:crypto';
import { AppError } from '#shared/errors/index.ts';

/** Below the ports that Linux, macOS and Windows hand out by themselves, among which Hyper-V, WSL and Docker reserve blocks. */
const lowest = 20_000;
const end = 32_768;

/** Each port that is taken costs one attempt. */
const attempts = 8;

/**
 * Opens a listener on a port that is kept for later starts: one that the system hands out to nothing else meanwhile, as far as one is
 * found. Fails as `open` does, but for `port_taken`.
 */
export async function openOnStablePort<T>(
  open: (port: number) => Promise<T>,
  choose: () => number = () => randomInt(lowest, end),
): Promise<T> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    try {
      return await open(choose());
    } catch (failure) {
      if (!isPortTaken(failure)) throw failure;
    }
  }
  return open(0);
}

/** The port of an earlier start, from its stored text; null for none, and for a text that is no port: it was edited. */
export function storedPort(text: string | null): number | null {
  const port = /^\d{1,5}$/u.test(text ?? '') ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : null;
}

/** True for the failure of a listener whose port another program has, or the system reserves. */
export function isPortTaken(failure: unknown): boolean {
  return failure instanceof AppError && failure.code === 'port_taken';
}
