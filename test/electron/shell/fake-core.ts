import type { AppEvent } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { CoreState } from '#shared/host-api/index.ts';

/** A core with the parts that the shell uses. */
export interface FakeCore {
  state(): CoreState;
  onState(listener: (state: CoreState) => void): () => void;
  onEvent(listener: (event: AppEvent) => void): () => void;
  ask(surface: string, name: string, input: unknown): Promise<unknown>;
  /** The answers by request. The core is unreachable for requests without an answer. */
  answers: Record<string, (input: unknown) => unknown>;
  asked: string[];
  become(state: CoreState): void;
  say(event: AppEvent): void;
}

export function fakeCore(state: CoreState = { kind: 'ready' }): FakeCore {
  const states = new Set<(state: CoreState) => void>();
  const events = new Set<(event: AppEvent) => void>();
  let now = state;
  const core: FakeCore = {
    answers: {},
    asked: [],
    state: () => now,
    onState(listener) {
      states.add(listener);
      return () => states.delete(listener);
    },
    onEvent(listener) {
      events.add(listener);
      return () => events.delete(listener);
    },
    async ask(_surface, name, input) {
      core.asked.push(name);
      const answer = core.answers[name];
      if (!answer) throw new AppError('core_unreachable');
      return answer(input);
    },
    become(next) {
      now = next;
      states.forEach((hear) => hear(next));
    },
    say: (event) => events.forEach((hear) => hear(event)),
  };
  return core;
}

/** Lets every promise that has its answer continue. */
export const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** A status with this number of undecided proposals. */
export const statusWith = (waiting: number): unknown => ({
  service: { state: 'ready', latencyMs: 3, checkedAtMs: 1, retryAtMs: null },
  writing: { off: null },
  waiting,
  unknown: 0,
  agents: { connected: 0, frozenSinceMs: null },
  policy: null,
  ledger: { rows: 4, sealedAtMs: 1, state: 'verified', anchorFailedSinceMs: null },
});
