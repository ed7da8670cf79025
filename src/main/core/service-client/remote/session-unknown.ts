import type { AppError } from '#shared/errors/index.ts';

/** The service no longer knows the session (404): what was asked was not carried out, and another session may be begun. */
export class SessionUnknown extends Error {
  /** What it means where another session does not help. */
  readonly refusal: AppError;

  constructor(refusal: AppError) {
    super('The service does not know the session', { cause: refusal });
    this.name = 'SessionUnknown';
    this.refusal = refusal;
  }
}
