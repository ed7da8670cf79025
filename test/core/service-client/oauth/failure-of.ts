import { AppError } from '#shared/errors/index.ts';

/** The expected failure that the work ends with; anything else fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<AppError> {
  const failure: unknown = await work.then(
    () => new Error('It did not fail'),
    (reason: unknown) => reason,
  );
  if (failure instanceof AppError) return failure;
  throw failure;
}
