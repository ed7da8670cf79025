import { AppError } from '#shared/errors/index.ts';

/** The expected failure of the work; anything else is a bug, and thrown. */
export async function failureOf(work: Promise<unknown>): Promise<AppError> {
  const failure: unknown = await work.then(
    () => new Error('It did not fail'),
    (reason: unknown) => reason,
  );
  if (failure instanceof AppError) return failure;
  throw failure;
}
