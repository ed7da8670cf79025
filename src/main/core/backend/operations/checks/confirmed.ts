import { AppError } from '#shared/errors/index.ts';
import type { CommitRequest } from '../commit-arguments.ts';

/** Explicit confirmation (contract §4.3, step 3). Fails with `confirmation_missing`. */
export function requireConfirmation({ confirmed }: CommitRequest): void {
  if (!confirmed) throw new AppError('confirmation_missing');
}
