import type { ServerResponse } from 'node:http';

/** Whether a held answer goes out after all. */
type Verdict = 'send' | 'drop';

/**
 * Keeps every byte of an answer back from the moment when its body begins or it ends, until `decide` has settled. A stream's
 * headers wait for its first byte, so that what is held is the answer and not the promise of one. A dropped answer takes the
 * connection with it. `decide` must not fail.
 */
export function holdAnswer(response: ServerResponse, decide: () => Promise<Verdict>): void {
  const { write, end, flushHeaders } = response;
  const held: (() => void)[] = [];
  let isHolding = false;
  const release = (verdict: Verdict): void => {
    Object.assign(response, { write, end, flushHeaders });
    if (verdict === 'drop') response.req.socket.destroy();
    else for (const call of held) call();
  };
  const hold = (call: () => void): void => {
    held.push(call);
    if (isHolding) return;
    isHolding = true;
    void decide().then(release);
  };
  Object.assign(response, {
    flushHeaders: () => {},
    write: (...args: unknown[]) => {
      hold(() => void Reflect.apply(write, response, args));
      return true;
    },
    end: (...args: unknown[]) => {
      hold(() => void Reflect.apply(end, response, args));
      return response;
    },
  });
}
