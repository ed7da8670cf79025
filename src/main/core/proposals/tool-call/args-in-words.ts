import { createHash } from 'node:crypto';
import { quoted } from '#shared/lib/inert-text.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { memberPath } from '#shared/lib/json/member-path.ts';

/** One argument for people: where it stands, and what it is. */
export interface ArgumentLine {
  path: string;
  value: string;
}

/** Base64 from here on is a file and no text that anybody reads. */
const shortestFile = 1_024;
const base64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Every argument, path by path. Texts are quotations, so that none is taken for a number; a list of plain values is one line. Whole
 * files in base64 stand as their size and hash; nothing else is cut.
 */
export function argsInWords(args: JsonObject): ArgumentLine[] {
  return linesOf(args, '');
}

function linesOf(value: JsonValue, path: string): ArgumentLine[] {
  if (Array.isArray(value)) return listLines(value, path);
  if (!isJsonObject(value)) return [{ path, value: plainWords(value) }];
  const entries = Object.entries(value);
  if (entries.length === 0 && path !== '') return [{ path, value: '{}' }];
  return entries.flatMap(([key, member]) => linesOf(member, memberPath(path, key)));
}

function listLines(list: readonly JsonValue[], path: string): ArgumentLine[] {
  if (list.every(isPlain)) return [{ path, value: `[${list.map(plainWords).join(', ')}]` }];
  return list.flatMap((item, index) => linesOf(item, `${path}[${index}]`));
}

type Plain = Exclude<JsonValue, JsonValue[] | JsonObject>;

function isPlain(value: JsonValue): value is Plain {
  return typeof value !== 'object' || value === null;
}

function plainWords(value: Plain): string {
  if (typeof value !== 'string') return String(value);
  return isFile(value) ? fileInWords(value) : quoted(value);
}

/** True for a text that is told by its size and hash alone. */
export function isFile(text: string): boolean {
  return text.length >= shortestFile && base64.test(text);
}

function fileInWords(text: string): string {
  const bytes = Buffer.from(text, 'base64');
  const hash = createHash('sha256').update(bytes).digest('hex');
  return `a file of ${bytes.length.toLocaleString('en-US')} bytes in base64, SHA-256 ${hash}`;
}
