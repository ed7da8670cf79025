import type { JsonValue } from '#shared/lib/json/json-value.ts';

/** Between texts: ends every word and every address. */
const separator = '\n';

/** A file in base64: one word of that length is no credential, and it may be a megabyte. */
const blob = /^[A-Za-z0-9+/]{4096,}={0,2}$/;

const encoded = /%([0-7][0-9a-f])/gi;

/**
 * Every text in a value, names of members included, as one; where something is percent-encoded, its plain form too. Files in
 * base64 are left out.
 */
export function textsOf(value: JsonValue): string {
  const texts: string[] = [];
  collect(value, texts);
  const text = texts.join(separator);
  const plain = text.replace(encoded, (_found, code: string) => String.fromCodePoint(parseInt(code, 16)));
  return plain === text ? text : `${text}${separator}${plain}`;
}

function collect(value: JsonValue, texts: string[]): void {
  if (typeof value === 'string') {
    if (!blob.test(value)) texts.push(value);
  } else if (Array.isArray(value)) for (const item of value) collect(item, texts);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      texts.push(name);
      collect(member, texts);
    }
  }
}
