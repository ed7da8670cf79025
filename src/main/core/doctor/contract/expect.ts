import type { z } from 'zod';
import { envelopeSchema } from '#shared/contract/index.ts';
import { fieldPath, issueInWords } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { JsonRefusal, readStrictJson } from '#shared/lib/json/strict-parse.ts';
import { type OwnWords, ownWords } from '#shared/lib/sentence.ts';
import { type CheckedAnswer, type CheckNeed, closing, drift, notChecked } from './check.ts';

export const credentialNames: Readonly<Record<CheckNeed, OwnWords>> = {
  member: ownWords('member token'),
  publisher: ownWords('publisher key'),
  remote: ownWords('sign-in'),
};

/** Longer values are not searched for credentials, so they are not quoted. */
const maxShown = 20_000;

export function shown(value: JsonValue | undefined): string | OwnWords {
  if (value === undefined) return ownWords('nothing');
  const text = JSON.stringify(value);
  return text.length > maxShown ? ownWords('a very long value') : text;
}

/** Throws `NotChecked` for an answer that proves nothing, such as a 503, else `Drift`. */
export function expectSuccess({ status }: CheckedAnswer, credential: CheckNeed | null): void {
  if (status >= 200 && status < 300) return;
  // After a 403, a key or sign-in may still work elsewhere; a member token without the role works nowhere.
  const isRefused = status === 401 || (status === 403 && credential === 'member');
  if (credential !== null && isRefused)
    throw closing(credential)`The service refuses the ${credentialNames[credential]} (${status}).`;
  if (credential !== null && status === 403) {
    throw notChecked`The ${credentialNames[credential]} does not reach here (403).`;
  }
  if (status === 421) throw notChecked`The service does not answer under this host name (421).`;
  if (status === 503) throw notChecked`The service says that it is not ready (503).`;
  throw drift`Expected 200; came ${status}.`;
}

/** `when` is a clause such as `without a token`. */
export function expectStatus({ status }: CheckedAnswer, allowed: readonly number[], when: string): void {
  if (allowed.includes(status)) return;
  if (status === 503) throw notChecked`The service says that it is not ready (503).`;
  throw drift`Expected ${ownWords(allowed.join(' or '))} ${ownWords(when)}; came ${status}.`;
}

export function jsonOf({ text }: Pick<CheckedAnswer, 'text'>): JsonValue {
  let value;
  try {
    value = readStrictJson(text);
  } catch (refusal) {
    if (!(refusal instanceof JsonRefusal)) throw refusal;
    if (text.trimStart().startsWith('<')) throw drift`Expected JSON; came markup.`;
    // A truncated key could be part of a credential.
    if (refusal.path.includes('…')) throw drift`Expected JSON; came something else.`;
    throw drift`Expected JSON; came something else: ${ownWords(refusal.what)} (at ${refusal.path}).`;
  }
  return value;
}

export function expectShape<S extends z.ZodType>(
  value: JsonValue | undefined,
  schema: S,
  what: string,
): z.output<S> {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const place = fieldPath([what, ...(issue?.path ?? [])]);
  throw drift`${place}: ${ownWords(issue === undefined ? 'another shape' : issueInWords(issue))}.`;
}

export function envelopeOf(answer: CheckedAnswer, credential: CheckNeed): JsonObject {
  expectSuccess(answer, credential);
  const body = objectOf(jsonOf(answer), 'the body');
  expectShape(body, envelopeSchema, 'body');
  if (body['status'] !== 'success') throw drift`Expected status "success"; came ${shown(body['status'])}.`;
  return body;
}

export function objectOf(value: JsonValue | undefined, what: string): JsonObject {
  if (!isJsonObject(value)) throw drift`Expected an object as ${ownWords(what)}; came ${kindOf(value)}.`;
  return value;
}

export function listOf(value: JsonValue | undefined, what: string): JsonValue[] {
  if (!Array.isArray(value)) throw drift`Expected a list as ${ownWords(what)}; came ${kindOf(value)}.`;
  return value;
}

function kindOf(value: JsonValue | undefined): OwnWords {
  if (value === undefined) return ownWords('nothing');
  if (value === null) return ownWords('null');
  return ownWords(Array.isArray(value) ? 'a list' : `a ${typeof value}`);
}

const dayMs = 86_400_000;

const days = 7;

/** Two days, because the day before yesterday is over in every time zone. */
const daysAgo = 2;

/** An inclusive range (contract §4.2). */
export function completeWeek(nowMs: number): { date_from: string; date_to: string } {
  return { date_from: dayAt(nowMs - (daysAgo + days - 1) * dayMs), date_to: dayAt(nowMs - daysAgo * dayMs) };
}

export const longAgo = { date_from: '2001-01-01', date_to: '2001-01-01' };

function dayAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Contract §4.2. The service may choose the columns. */
export function expectCsv(answer: CheckedAnswer, rows: number): void {
  expectSuccess(answer, 'publisher');
  const text = answer.text.trimStart();
  if (text.startsWith('<')) throw drift`Expected a CSV file; came markup.`;
  if (/^[[{]/.test(text)) throw drift`Expected a CSV file; came JSON.`;
  const lines = text.split('\n').filter((line) => line.trim() !== '').length;
  if (lines < rows) throw drift`Expected at least ${rows} lines of CSV; came ${lines}.`;
}

/** Skips a check that would send a credential to another origin, even to see it refused. */
export function requireSameOrigin(left: string, right: string, credential: CheckNeed): void {
  if (new URL(left).origin === new URL(right).origin) return;
  throw notChecked`The ${credentialNames[credential]} is not sent to another host than its own.`;
}
