import { z } from 'zod';
import { AppError, catalogue, fieldPath, parseStrictJson, type ErrorCode } from '#shared/errors/index.ts';
import { concealing } from '#system/http/failure-codes.ts';
import { withServiceWords } from '../answers.ts';
import type { Grant } from './grants.ts';
import { readRefusal, wasNeverSent } from './oauth-requests.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

/** The answer of a token endpoint (RFC 6749 §5.1). */
export interface Tokens {
  accessToken: string;
  refreshToken: string | null;
  /** The granted scopes. Null if the server omitted them, which means that they are as requested. */
  scopes: readonly string[] | null;
  lifetimeMs: number | null;
}

/** The result of one request to a token endpoint, by what happened to the code or refresh token in it. */
export type TokenOutcome =
  | { kind: 'granted'; tokens: Tokens }
  /** `data.error` of the failure is the server's error code. */
  | { kind: 'refused'; failure: AppError }
  /** The request certainly did not arrive, or was refused before it was examined. */
  | { kind: 'unused'; failure: AppError }
  | { kind: 'unknown'; failure: AppError };

/** Codes of refusals before the request is examined (contract §7.3). */
const unexaminedCodes: readonly ErrorCode[] = ['rate_limited', 'service_unavailable', 'wrong_host'];

/** Makes one request, without retries, and reads its answer strictly. `secrets` are masked in every failure. */
export async function requestTokens(
  secrets: readonly string[],
  request: () => Promise<Response>,
): Promise<TokenOutcome> {
  let answer;
  try {
    answer = await request();
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure;
    const isUnused = wasNeverSent(failure) || unexaminedCodes.includes(failure.code);
    return { kind: isUnused ? 'unused' : 'unknown', failure };
  }
  const conceal = (text: string): string => secrets.reduce((said, secret) => concealing(secret)(said), text);
  return readAnswer(answer.status, await answer.text(), conceal);
}

function readAnswer(status: number, text: string, conceal: (text: string) => string): TokenOutcome {
  if (status >= 400 && status < 500) {
    const { error, words } = readRefusal(text, conceal);
    const { message, data } = withServiceWords(catalogue.token_refused.text, words);
    const failure = new AppError('token_refused', { message, data: { ...data, status, error } });
    return { kind: 'refused', failure };
  }
  const read = status === 200 ? readTokens(text) : `it came with status ${status}`;
  if (typeof read !== 'string') return { kind: 'granted', tokens: read };
  const message = sentence`The service’s answer to the request for access cannot be used: ${ownWords(read)}.`;
  return { kind: 'unknown', failure: new AppError('token_refused', { message, data: { status } }) };
}

/** A token of visible ASCII (RFC 6750 §2.1), with a length limit that keeps it inside one header. */
const tokenText = z.string().regex(/^[\x21-\x7e]{1,8192}$/, 'is not one word of visible ASCII');

const maxLifetimeSeconds = 10 * 366 * 24 * 3600;

const answerSchema = z.object({
  access_token: tokenText,
  token_type: z.string().regex(/^bearer$/i, 'is not Bearer'),
  expires_in: z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,15}$/)
        .transform(Number),
    ])
    .refine((seconds) => seconds >= 0, 'is negative')
    .nullish(),
  refresh_token: tokenText.nullish(),
  scope: z
    .string()
    .max(4096, 'is too long')
    .regex(/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/, 'is not a list of scopes')
    .nullish(),
});

/** Returns the tokens, or a description of the error without any value. Ignores `id_token` and other members. */
function readTokens(text: string): Tokens | string {
  let value;
  try {
    value = parseStrictJson(text);
  } catch {
    return 'it is not strict JSON';
  }
  const { data, error } = answerSchema.safeParse(value);
  if (error !== undefined) {
    const [issue] = error.issues;
    return issue?.path.length ? `${fieldPath(issue.path)}: ${issue.message}` : 'it is not an object';
  }
  const scopes = data.scope?.split(' ').filter((scope) => scope !== '');
  const seconds = data.expires_in ?? null;
  return {
    accessToken: data.access_token,
    refreshToken: data.refresh_token ?? null,
    scopes: scopes === undefined ? null : [...new Set(scopes)],
    lifetimeMs: seconds === null || seconds > maxLifetimeSeconds ? null : seconds * 1000,
  };
}

/**
 * The members of an answer that a grant keeps. Drops scopes that were not requested, because
 * the next sign-in requests the kept ones. `nowMs` is the time at which the request was sent.
 */
export function grantTokens(
  tokens: Tokens,
  asked: { scopes: readonly string[]; nowMs: number },
): Pick<Grant, 'accessToken' | 'refreshToken' | 'scopes' | 'expiresAtMs'> {
  const { accessToken, refreshToken, scopes, lifetimeMs } = tokens;
  return {
    accessToken,
    refreshToken,
    scopes: scopes?.filter((scope) => asked.scopes.includes(scope)) ?? asked.scopes,
    expiresAtMs: lifetimeMs === null ? null : asked.nowMs + lifetimeMs,
  };
}
