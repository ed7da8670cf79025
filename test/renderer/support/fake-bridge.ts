import type { AppBridge, Connection } from '#renderer/api/bridge.ts';
import type { AppEvent, AppInput, AppOutput, AppRequest } from '#shared/app-api/index.ts';

type Answers = { [R in AppRequest]?: (input: AppInput<R>) => AppOutput<R> | Promise<AppOutput<R>> };

/** A core with fixed answers that records its requests. */
export interface FakeBridge extends AppBridge {
  readonly asked: { name: AppRequest; input: unknown }[];
  emit: (event: AppEvent) => void;
  connect: (connection: Connection) => void;
}

/** Makes a bridge that answers from a table. A request that is not in the table fails the test. */
export function fakeBridge(answers: Answers): FakeBridge {
  const asked: FakeBridge['asked'] = [];
  const listeners = new Set<(event: AppEvent) => void>();
  const watchers = new Set<(connection: Connection) => void>();
  return {
    asked,
    async call(name, input) {
      asked.push({ name, input });
      const answer = answers[name];
      if (!answer) throw new Error(`Unexpected call of ${name}`);
      return answer(input);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    connection: () => ({ kind: 'connecting' }),
    onConnection(listener) {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
    start: () => Promise.resolve(),
    emit: (event) => listeners.forEach((hear) => hear(event)),
    connect: (connection) => watchers.forEach((watch) => watch(connection)),
  };
}

/** Lets every promise that has its answer continue. */
export const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
