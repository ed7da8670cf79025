import type { z } from 'zod';
import { envelopeSchema } from '#shared/contract/index.ts';
import { fieldPath } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import { JsonRefusal, readStrictJson } from '#shared/lib/json/strict-parse.ts';
import {
  type CheckedAnswer,
  type CheckNeed,
  credentialNames,
  CredentialRefused,
  Drift,
  NotChecked,
} from './ask.ts';
import type { Formats } from '#shared/lib/formats.ts';

/** Says what was expected and what came instead. */
export function drift(expected: string, came: string): never {
  throw new Drift(`Expected ${expected}; came ${came}.`);
}

/** Longer values are not quoted: a part of one could contain an unrecognisable part of a credential. */
const maxShown = 20_000;

export function shown(value: JsonValue | undefined, formats: Formats): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > maxShown ? `a value of ${formats.count(text.length)} characters` : quoted(text);
}

/**
 * That the answer is a success. What says that it cannot be judged (a refused credential, a service that is not ready) ends
 * the check as not made.
 */
export function expectSuccess({ status }: CheckedAnswer, credential: CheckNeed | null): void {
  if (status >= 200 && status < 300) return;
  // Another role opens no member endpoint; a key or a sign-in that does not reach here may reach elsewhere.
  const isRefused = status === 401 || (status === 403 && credential === 'member');
  if (credential !== null && isRefused) throw new CredentialRefused(credential, status);
  if (credential !== null && status === 403) {
    throw new NotChecked(`The ${credentialNames[credential]} does not reach here (403).`);
  }
  if (status === 421) throw new NotChecked('The service does not answer under this host name (421).');
  if (status === 503) throw new NotChecked('The service says that it is not ready (503).');
  drift('200', String(status));
}

export function expectStatus({ status }: CheckedAnswer, allowed: readonly number[], when: string): void {
  if (allowed.includes(status)) return;
  if (status === 503) throw new NotChecked('The service says that it is not ready (503).');
  drift(`${allowed.join(' or ')} ${when}`, String(status));
}

export function jsonOf({ text }: Pick<CheckedAnswer, 'text'>): JsonValue {
  let value;
  try {
    value = readStrictJson(text);
  } catch (refusal) {
    if (!(refusal instanceof JsonRefusal)) throw refusal;
    if (text.trimStart().startsWith('<')) drift('JSON', 'markup');
    // A key that its path has cut could be a part of a credential.
    const where = refusal.path.includes('…') ? '' : `: ${refusal.message}`;
    drift('JSON', `something else${where}`);
  }
  return value;
}

/** The value in the shape of the contract; members that it does not know stay. */
export function shaped<S extends z.ZodType>(
  value: JsonValue | undefined,
  schema: S,
  what: string,
): z.output<S> {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const place = fieldPath([what, ...(issue?.path ?? [])]);
  throw new Drift(`${place}: ${issue?.message ?? 'another shape'}.`);
}

/** The envelope of a successful REST answer (contract §2.1). */
export function envelopeOf(answer: CheckedAnswer, credential: CheckNeed, formats: Formats): JsonObject {
  expectSuccess(answer, credential);
  const body = objectOf(jsonOf(answer), 'the body');
  shaped(body, envelopeSchema, 'body');
  if (body['status'] !== 'success') drift('status "success"', shown(body['status'], formats));
  return body;
}

export function objectOf(value: JsonValue | undefined, what: string): JsonObject {
  if (!isJsonObject(value)) drift(`an object as ${what}`, kindOf(value));
  return value;
}

export function listOf(value: JsonValue | undefined, what: string): JsonValue[] {
  if (!Array.isArray(value)) drift(`a list as ${what}`, kindOf(value));
  return value;
}

function kindOf(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

const dayMs = 86_400_000;

const days = 7;

/** The day before yesterday is over in every zone, so its numbers are final. */
const daysAgo = 2;

/** The last days that are certainly over, inclusive, YYYY-MM-DD (contract §4.2). */
export function lastDays(nowMs: number): { date_from: string; date_to: string } {
  return { date_from: dayAt(nowMs - (daysAgo + days - 1) * dayMs), date_to: dayAt(nowMs - daysAgo * dayMs) };
}

/** A day before there was any traffic. */
export const longAgo = { date_from: '2001-01-01', date_to: '2001-01-01' };

function dayAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** That an export is a CSV file with at least these rows (contract §4.2). Its columns are the service's own choice. */
export function expectCsv(answer: CheckedAnswer, rows: number): void {
  expectSuccess(answer, 'publisher');
  const text = answer.text.trimStart();
  if (/^[[{<]/.test(text)) drift('a CSV file', text.startsWith('<') ? 'markup' : 'JSON');
  const lines = text.split('\n').filter((line) => line.trim() !== '').length;
  if (lines < rows) drift(`at least ${rows} lines of CSV`, String(lines));
}
