import type { LedgerRow } from '#core/store/app/index.ts';
import { parseStrictJson } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { readBody } from '../verify/introduction.ts';

/** One row as a line of an export, without the line break (docs/ledger-format.md). */
export function exportLine(row: LedgerRow): string {
  return JSON.stringify({ ...row, body: sealedBody(row.body) });
}

/** The body as a value; one that is not canonical was tampered with, and stays the text that it is. */
function sealedBody(text: string): JsonObject | string {
  const body = readBody(text);
  return body !== null && canonicalOf(body) === text ? body : text;
}

const members: readonly (keyof LedgerRow)[] = [
  'seq',
  'atMs',
  'kind',
  'proposalId',
  'actor',
  'via',
  'summary',
  'body',
  'previousHash',
  'hash',
  'keyId',
  'signature',
];

/** Reads a line back. Null where it has not exactly the members of a row, or no number; their types are the verifier's question. */
export function rowOfLine(line: string): LedgerRow | null {
  const value = objectOf(line);
  if (value === null || Object.keys(value).length !== members.length) return null;
  if (!members.every((member) => Object.hasOwn(value, member))) return null;
  if (!Number.isSafeInteger(value['seq'])) return null;
  const body = value['body'];
  const row: unknown = { ...value, body: isJsonObject(body) ? canonicalOf(body) : body };
  return row as LedgerRow;
}

/** A line as a JSON object; null where it is none, or two programs could read it differently. */
export function objectOf(line: string): JsonObject | null {
  let value: JsonValue;
  try {
    value = parseStrictJson(line);
  } catch {
    return null;
  }
  return isJsonObject(value) ? value : null;
}

function canonicalOf(body: JsonObject): string | null {
  try {
    return canonicalJson(body);
  } catch {
    return null;
  }
}
