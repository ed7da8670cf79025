import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { Profile } from '#core/profiles/index.ts';
import { createMemberClient, createPublisherClient } from '#core/service-client/index.ts';
import type { CredentialName } from '#shared/app-api/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject } from '#shared/lib/json/json-value.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

/** The expiry of a JWT (RFC 7519 §4.1.4) in milliseconds, for display only: nothing is verified. Null without an expiry. */
export function tokenExpiry(token: string): number | null {
  const [, body, , ...more] = token.split('.');
  if (body === undefined || more.length > 0) return null;
  let claims: unknown;
  try {
    claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  } catch {
    return null;
  }
  const seconds = isJsonObject(claims) ? claims['exp'] : null;
  if (typeof seconds !== 'number' || seconds <= 0 || seconds > latestSeconds) return null;
  return Math.floor(seconds * 1000);
}

/** The end of the year 9999. Later times cannot be shown as a date. */
const latestSeconds = 253_402_300_799;

export interface AskingOptions {
  timeoutMs: number;
  clock: Clock;
  logger: Logger;
}

/** The result of asking the service about a credential. `account` is null if the service did not report the owner. */
export interface AskedAccount {
  account: string | null;
}

/** Returns the credential without surrounding spaces and `Bearer`. Fails with `validation_failed`; no message repeats the value. */
export function cleanCredential(name: CredentialName, pasted: string): string {
  const trimmed = pasted.trim();
  const value =
    name === 'memberToken' ? trimmed.replace(/^(authorization:\s*)?(bearer(\s+|$))?/i, '') : trimmed;
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw refused(
    'not_one_word',
    sentence`${ownWords(words[name])} is one word without spaces. Copy it again, whole.`,
  );
}

/** Fails with `validation_failed` if the service refuses the credential. Any other failure proves nothing against it. */
export function askAbout(
  name: CredentialName,
  value: string,
  profile: Profile,
  options: AskingOptions,
): Promise<AskedAccount> {
  return name === 'memberToken' ? askMember(value, profile, options) : askPublisher(value, profile, options);
}

async function askMember(
  value: string,
  { addresses }: Profile,
  options: AskingOptions,
): Promise<AskedAccount> {
  const client = createMemberClient({ ...options, baseUrl: addresses.baseUrl, token: async () => value });
  try {
    const [row] = (await client.list({ page: 1, perPage: 1 })).data;
    return { account: row === undefined ? null : String(row.uid) };
  } catch (failure) {
    const { status } = known(failure);
    if (status === 401) throw refused('not_accepted', notAccepted);
    if (status === 403) throw refused('not_allowed', notAllowed);
    return { account: null };
  }
}

/** Asks for a report of one day (contract §4.2). A key may have other scopes, so only 401 means that it is invalid. */
async function askPublisher(value: string, profile: Profile, options: AskingOptions): Promise<AskedAccount> {
  const { apiUrl } = profile.addresses;
  const client = createPublisherClient({ ...options, apiUrl, token: async () => value });
  const { date } = serviceDay(options.clock.nowMs(), profile.zone);
  try {
    await client.searchReport({ from: date, to: date });
  } catch (failure) {
    if (known(failure).status === 401) throw refused('not_accepted', keyNotAccepted);
  }
  return { account: null };
}

function known(failure: unknown): AppError {
  if (failure instanceof AppError) return failure;
  throw failure;
}

export function refused(code: string, message: Sentence): AppError {
  return new AppError('validation_failed', { fields: [{ field: 'value', code, message }] });
}

const words: Readonly<Record<CredentialName, string>> = {
  memberToken: 'A member token',
  publisherKey: 'A publisher key',
};

const notAccepted = sentence`The service does not accept this token; it may have expired. Copy the access token of a member who is signed in now.`;
const notAllowed = sentence`The service knows this token and refuses it the campaigns. Use the access token of an advertiser member.`;
export const otherAccount = (account: string, signedIn: string): Sentence =>
  sentence`This token is of account ${account}, but this profile is signed in to account ${signedIn}. Use a token of account ${signedIn}, or sign out first.`;
const keyNotAccepted = sentence`The service does not accept this key; it may be revoked. Copy the publisher API key again, whole.`;
