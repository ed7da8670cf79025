import { AppError } from '#shared/errors/index.ts';

/** `service_unreachable`, and in `data.sent` whether the request may have been received. */
export function noAnswer(host: string, { sent, cause }: { sent: boolean; cause: unknown }): AppError {
  const isLate = cause instanceof DOMException && cause.name === 'TimeoutError';
  return new AppError('service_unreachable', {
    message: isLate ? `${host} did not answer in time.` : `${host} cannot be reached.`,
    data: { sent },
    cause,
  });
}

/**
 * True when the failed request certainly never reached the server, so that what it carried is unused. False when it may have
 * been received, whatever came of it.
 */
export function wasNeverSent(failure: unknown): boolean {
  return failure instanceof AppError && failure.data['sent'] === false;
}
