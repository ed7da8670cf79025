import type { StoredProposal } from '#core/store/app/index.ts';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';

export type Outcome = NonNullable<StoredProposal['outcome']>;

/** Why a proposal ended, from the failure that ended it, every failing field included. A bug stays neutral. */
export function outcomeOf(failure: unknown): Outcome {
  const known = failure instanceof AppError ? failure : new AppError('internal', { cause: failure });
  const fields = known.fields.map(({ field, message }) => ` ${inertText(field)}: ${message}`);
  return { code: known.code, message: known.message + fields.join('') };
}

/** An outcome by its code, with the catalogue's words or more exact ones. */
export function outcomeWith(code: ErrorCode, message?: string): Outcome {
  return outcomeOf(new AppError(code, message === undefined ? {} : { message }));
}

/** Whether nobody looks any more what came of it: no read can tell. */
export function isUnknowable({ state, outcome }: Pick<StoredProposal, 'state' | 'outcome'>): boolean {
  return state === 'unknown' && outcome?.code === 'outcome_unknowable';
}
