/** A quit that takes longer than this is explained, in milliseconds. */
const explainAfterMs = 1_000;

export interface QuittingOptions {
  /** Resolves when the core has finished its write and is gone. Never fails, and is bounded in time by the caller. */
  finishCore: () => Promise<void>;
  /** Asks the program to quit; comes back as another `beforeQuit`. */
  quit: () => void;
  /** Ends the program at once. */
  exit: (code: number) => void;
  sayFinishing: () => void;
  after: (delayMs: number, call: () => void) => () => void;
}

/** Ends the program: nothing closes before the core has finished. */
export interface Quitting {
  beforeQuit(event: { preventDefault(): void }): void;
  /** A signal of the system: the first asks to quit, another one while that takes its time ends at once with this code. */
  signal(code: number): void;
}

/** Starts with a program that runs. */
export function createQuitting(options: QuittingOptions): Quitting {
  const { finishCore, quit, exit, sayFinishing, after } = options;
  let stage: 'running' | 'finishing' | 'finished' = 'running';
  let signalled = false;

  async function finish(): Promise<void> {
    stage = 'finishing';
    const cancel = after(explainAfterMs, sayFinishing);
    await finishCore();
    cancel();
    stage = 'finished';
    quit();
  }

  return {
    beforeQuit(event) {
      if (stage === 'finished') return;
      event.preventDefault();
      if (stage === 'running') void finish();
    },
    signal(code) {
      if (signalled) return exit(code);
      signalled = true;
      quit();
    },
  };
}
