import type { DecimalReader } from './decimal-reader.ts';
import { type JsonBytes, Malformed, maxDepth, sign } from './json-bytes.ts';

/**
 * Passes a value that is not kept, and checks it like every other: syntax, texts, depth, and no member twice in an object. `depth` is
 * the level that an object or list at this place has.
 */
export function skipValue(
  json: JsonBytes,
  { decimals, depth }: { decimals: DecimalReader; depth: number },
): void {
  switch (json.next()) {
    case sign.quote:
      json.readString(Infinity);
      return;
    case sign.open:
      skipObject(json, { decimals, depth });
      return;
    case sign.openList:
      skipList(json, { decimals, depth });
      return;
    case sign.t:
      json.readWord('true');
      return;
    case sign.f:
      json.readWord('false');
      return;
    case sign.n:
      json.readWord('null');
      return;
    default:
      json.passNumber(decimals.readJson(json.bytes, json.at, json.end));
  }
}

function skipObject(json: JsonBytes, { decimals, depth }: { decimals: DecimalReader; depth: number }): void {
  enter(json, depth);
  const seen = new Set<string>();
  if (json.next() === sign.close) {
    json.at += 1;
    return;
  }
  for (;;) {
    if (json.next() !== sign.quote) throw new Malformed('a name of a member is missing');
    json.readString(Infinity);
    const name = json.textString();
    if (seen.has(name)) throw new Malformed('an object inside it has a member twice');
    seen.add(name);
    json.pass(sign.colon);
    skipValue(json, { decimals, depth: depth + 1 });
    if (json.next() === sign.close) break;
    json.pass(sign.comma);
  }
  json.at += 1;
}

function skipList(json: JsonBytes, { decimals, depth }: { decimals: DecimalReader; depth: number }): void {
  enter(json, depth);
  if (json.next() === sign.closeList) {
    json.at += 1;
    return;
  }
  for (;;) {
    skipValue(json, { decimals, depth: depth + 1 });
    if (json.next() === sign.closeList) break;
    json.pass(sign.comma);
  }
  json.at += 1;
}

function enter(json: JsonBytes, depth: number): void {
  if (depth > maxDepth) throw new Malformed(`it is nested deeper than ${maxDepth} levels`);
  json.at += 1;
}
