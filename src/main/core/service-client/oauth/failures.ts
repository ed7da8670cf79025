import { z } from 'zod';
import { AppError, parseStrictJson, type ErrorCode } from '#shared/errors/index.ts';
import { foreignWords } from '../answers.ts';
import { noAnswerCode } from '#system/http/failure-codes.ts';
import { retryAfterSeconds } from '../exchange.ts';
import { sentence } from '#shared/lib/sentence.ts';

/** `service_unreachable` or the fault of the network, and in `data.sent` whether the request may have been received. */
export function noAnswer(host: string, { sent, cause }: { sent: boolean; cause: unknown }): AppError {
  const isLate = cause instanceof Error && cause.name === 'TimeoutError';
  const code = noAnswerCode(cause);
  if (code !== 'service_unreachable') return new AppError(code, { data: { sent }, cause });
  return new AppError(code, {
    message: isLate ? sentence`${host} did not answer in time.` : sentence`${host} cannot be reached.`,
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

/** The refusal of a redirect, which may carry a credential elsewhere. */
export function redirected(host: string): AppError {
  return new AppError('address_refused', {
    message: sentence`The service at ${host} redirects elsewhere. Countersign does not follow.`,
    data: { sent: true },
  });
}

const statusCodes: Partial<Record<number, ErrorCode>> = {
  421: 'wrong_host',
  429: 'rate_limited',
  503: 'service_unavailable',
};

/**
 * Failure that a status means for the whole service, whatever was asked (contract §7.3), with `data.retryAfterSeconds` if it
 * asks for a pause; null if it means none.
 */
export function statusRefusal({ status, headers }: Response, host: string): AppError | null {
  const code = statusCodes[status] ?? (status >= 500 ? 'service_failed' : null);
  if (code === null) return null;
  const seconds = retryAfterSeconds(headers);
  return new AppError(code, {
    data: { status, host, sent: true, ...(seconds === null ? {} : { retryAfterSeconds: seconds }) },
  });
}

const refusalSchema = z.object({
  error: z.string(),
  error_description: z.string().optional().catch(undefined),
});

/** An authorization server's refusal, in its own words (RFC 6749 §5.2, RFC 7591 §3.2.2). */
export interface OAuthRefusal {
  /** The `error` for programs; empty where the answer names none. Inert. */
  error: string;
  /** For people, as they came; empty where there are none. */
  words: string;
}

/** Reads a refusing body; one that is none says nothing. `conceal` blanks what the request carried. */
export function readRefusal(text: string, conceal = (words: string): string => words): OAuthRefusal {
  let value;
  try {
    value = parseStrictJson(text);
  } catch {
    return { error: '', words: '' };
  }
  const { data } = refusalSchema.safeParse(value);
  if (data === undefined) return { error: '', words: '' };
  const { error, error_description: description } = data;
  return refusalIn(conceal(error), description === undefined ? description : conceal(description));
}

/** The refusal in these two words, wherever they came from. */
export function refusalIn(error: string, description: string | null | undefined): OAuthRefusal {
  const words = description?.trim() ? description : error;
  return { error: foreignWords(error), words };
}

/** Error codes for a client that the server does not know, or no longer (RFC 6749 §4.1.2.1, §5.2). */
const clientUnknown: readonly unknown[] = ['invalid_client', 'unauthorized_client'];

/** True for a failure whose `data.error` says that the server does not know the client: another registration may help. */
export function tellsClientUnknown(failure: unknown): boolean {
  return failure instanceof AppError && clientUnknown.includes(failure.data['error']);
}
