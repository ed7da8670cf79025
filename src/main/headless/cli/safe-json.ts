/** Characters that a terminal may act on; line ends are those of the indentation, since JSON escapes the others. */
const unsafe = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu;

/** JSON of a value that may contain foreign text: every character that a terminal may act on is an escape, which is the same JSON. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(unsafe, escaped);
}

function escaped(found: string): string {
  return [...Array(found.length).keys()]
    .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');
}
