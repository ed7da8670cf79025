/** A resource that must be released. `dispose` can be called twice; the second call never throws. */
export interface AsyncDisposable {
  dispose(): Promise<void>;
}

/** Disposes all resources in reverse order, even if some fail; then throws an `AggregateError`. */
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

/** Opens parts; if that fails, disposes those that are already open. */
export async function openAll<T>(open: (stack: DisposableStack) => Promise<T>): Promise<T> {
  const stack = new DisposableStack();
  try {
    return await open(stack);
  } catch (failure) {
    await stack.dispose();
    throw failure;
  }
}

/** Runs the work and disposes its parts afterwards. */
export async function whileOpen<T>(work: (stack: DisposableStack) => Promise<T>): Promise<T> {
  const stack = new DisposableStack();
  try {
    return await work(stack);
  } finally {
    await stack.dispose();
  }
}
