import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Prints a report of this process as a line of JSON whenever it receives SIGUSR2. */
export function reportOnSignal(report: (collectGarbage: () => void) => object | Promise<object>): void {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const print = async (): Promise<void> => {
    process.stdout.write(`${JSON.stringify(await report(collectGarbage))}\n`);
  };
  process.on('SIGUSR2', () => void print());
}
