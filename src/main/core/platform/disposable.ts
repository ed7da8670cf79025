/** Something that was started and must be ended. `dispose` is idempotent and never throws for an ended thing. */
export interface AsyncDisposable {
  dispose(): Promise<void>;
}

/** Ends what was added in reverse order, every one even when an earlier one fails; throws the failures together. */
export class DisposableStack implements AsyncDisposable {
  readonly #entries: AsyncDisposable[] = [];

  use<T extends AsyncDisposable>(value: T): T {
    this.#entries.push(value);
    return value;
  }

  defer(dispose: () => void | Promise<void>): void {
    this.#entries.push({ dispose: async () => dispose() });
  }

  async dispose(): Promise<void> {
    const failures: unknown[] = [];
    for (let entry = this.#entries.pop(); entry; entry = this.#entries.pop()) {
      try {
        await entry.dispose();
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'Some parts could not be ended');
  }
}

/** Opens parts; if that fails, ends those that are open. */
export async function openAll<T>(open: (stack: DisposableStack) => Promise<T>): Promise<T> {
  const stack = new DisposableStack();
  try {
    return await open(stack);
  } catch (failure) {
    await stack.dispose();
    throw failure;
  }
}

/** Works with parts that end with the work. */
export async function whileOpen<T>(work: (stack: DisposableStack) => Promise<T>): Promise<T> {
  const stack = new DisposableStack();
  try {
    return await work(stack);
  } finally {
    await stack.dispose();
  }
}
