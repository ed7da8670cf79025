/**
 * A fake core at the far end of the real link, which does what the input of an `ask` states. It also runs on the old Node of
 * the test runtime, so it imports no part of the store.
 */
import { findHostPort } from '#core/host-link/host-port.ts';
import type { CoreMessage } from '#shared/host-api/index.ts';

/** A request of a test. The answer has the number of the request. */
export type EchoInput =
  | { do: 'echo'; value: unknown }
  | { do: 'fill'; characters: number }
  | { do: 'report' }
  | { do: 'babble'; message: unknown }
  /** Sends `count` answers and then exits. */
  | { do: 'last-words'; count: number; characters: number; code: number }
  | { do: 'exit'; code: number }
  | { do: 'throw' }
  | { do: 'kill-itself' }
  | { do: 'hang' };

/** The answer to `report`. */
export interface EchoReport {
  pid: number;
  args: string[];
  execArgv: string[];
  environment: string[];
}

const found = findHostPort();
if (found === null) throw new Error('This core was started without a parent');
const port = found;

const report = (): EchoReport => ({
  pid: process.pid,
  args: process.argv.slice(2),
  execArgv: process.execArgv,
  environment: Object.keys(process.env),
});

async function exit(code: number): Promise<void> {
  await port.drained();
  process.exit(code);
}

async function obey(id: number, input: EchoInput): Promise<void> {
  const answer = (output: unknown): void => port.send({ kind: 'answer', id, output });
  switch (input.do) {
    case 'echo':
      return answer(input.value);
    case 'fill':
      return answer('x'.repeat(input.characters));
    case 'report':
      return answer(report());
    case 'babble':
      return port.send(input.message as CoreMessage);
    case 'last-words':
      for (let count = 0; count < input.count; count += 1) answer('x'.repeat(input.characters));
      return exit(input.code);
    case 'exit':
      return exit(input.code);
    case 'throw':
      return void setImmediate(() => {
        throw new Error('A bug, for the test');
      });
    case 'kill-itself':
      return void process.kill(process.pid, 'SIGKILL');
    case 'hang':
      answer('hanging');
      await port.drained();
      for (;;);
  }
}

function finish(): void {
  port.send('finished' as unknown as CoreMessage);
  void exit(0);
}

port.onMessage((message) => {
  const { kind, id, input } = message as { kind: string; id: number; input: EchoInput };
  if (kind === 'ask') void obey(id, input);
  else setTimeout(finish, 300);
});
port.onClose(() => void exit(0));
