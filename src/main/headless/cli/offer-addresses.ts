import { createInterface } from 'node:readline';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Console } from './console.ts';

/** Prints a fresh address whenever the person types `o` and Enter: each address opens one page. */
export function offerAddresses(console: Console, address: () => string): AsyncDisposable {
  console.out('o and Enter prints another address. Ctrl-C ends.');
  // Not a line editor: the terminal keeps its own, and Ctrl-C stays the signal that it is.
  const lines = createInterface({ input: console.input, terminal: false });
  lines.on('line', (line) => {
    if (line.trim() === 'o') console.out(address());
  });
  return {
    dispose: async () => {
      lines.close();
      console.input.pause();
    },
  };
}
