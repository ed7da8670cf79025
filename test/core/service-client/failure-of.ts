import { AppError } from '#shared/errors/index.ts';

/** Returns the expected failure of the work. Any other error is a bug and is rethrown. */
export async function failureOf(work: Promise<unknown>): Promise<AppError> {
  const failure: unknown = await work.then(
    () => new Error('It did not fail'),
    (reason: unknown) => reason,
  );
  if (failure instanceof AppError) return failure;
  throw failure;
}
