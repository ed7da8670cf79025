import type { ProposalView } from '#shared/app-api/index.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import { isJsonObject, type JsonObject, type JsonValue, memberPath } from '#shared/lib/json/json-value.ts';
import { pictureIn, pictureInWords } from './picture-argument.ts';

/** One argument for people: where it stands, and what it is. */
type ArgumentLine = Extract<ProposalView['detail'], { kind: 'tool' }>['args'][number];

/**
 * Every argument, path by path. Texts are quotations, so that none is taken for a number; a list of plain values is one line. Only a whole
 * picture stands as its size and hash, with the picture itself to be drawn; every other text stands in full.
 */
export function argsInWords(args: JsonObject): ArgumentLine[] {
  return linesOf(args, '');
}

function linesOf(value: JsonValue, path: string): ArgumentLine[] {
  if (Array.isArray(value)) return listLines(value, path);
  if (!isJsonObject(value)) return [plainLine(value, path)];
  const entries = Object.entries(value);
  if (entries.length === 0 && path !== '') return [{ path, value: '{}' }];
  return entries.flatMap(([key, member]) => linesOf(member, memberPath(path, key)));
}

function listLines(list: readonly JsonValue[], path: string): ArgumentLine[] {
  const isOneLine = list.every((item): item is Plain => isPlain(item) && !isPicture(item));
  if (isOneLine) return [{ path, value: `[${list.map(plainWords).join(', ')}]` }];
  return list.flatMap((item, index) => linesOf(item, `${path}[${index}]`));
}

function plainLine(value: Plain, path: string): ArgumentLine {
  const picture = typeof value === 'string' ? pictureIn(value) : null;
  if (picture === null) return { path, value: plainWords(value) };
  const { mediaType, base64 } = picture;
  return { path, value: pictureInWords(picture), picture: { mediaType, base64 } };
}

type Plain = Exclude<JsonValue, JsonValue[] | JsonObject>;

function isPlain(value: JsonValue): value is Plain {
  return typeof value !== 'object' || value === null;
}

function isPicture(value: Plain): boolean {
  return typeof value === 'string' && pictureIn(value) !== null;
}

function plainWords(value: Plain): string {
  return typeof value === 'string' ? quoted(value) : String(value);
}
