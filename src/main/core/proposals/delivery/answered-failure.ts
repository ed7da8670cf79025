import { AppError, type AppErrorDetails, type ErrorCode } from '#shared/errors/index.ts';

/** A write that failed with an answer of the service, which is kept whole: the agent that asked gets it. */
export class AnsweredFailure extends AppError {
  /** JSON text. */
  readonly answer: string;

  constructor(code: ErrorCode, { answer, ...details }: AppErrorDetails & { answer: string }) {
    super(code, details);
    this.answer = answer;
  }
}
