/** What every environment of the program offers for parsing addresses; declared here because shared code sees no DOM and no Node types. */
interface UrlParser {
  parse(text: string): { protocol: string; hostname: string; host: string } | null;
}

const parser = (globalThis as unknown as { URL: UrlParser }).URL;

const macro = /\{+[\w.:|-]+\}+|\[\w+\]/g;
const refused = /[\s\\\p{Cc}]/u;

/**
 * The host of an HTTP(S) address in lower case, with its port; null when the text is no such address. Macros such as
 * `{click_id}` and `[CLICKID]` may stand anywhere. The text is only looked at: it is stored and sent as it came,
 * because a serialised URL would escape the macros.
 */
export function webHost(text: string): string | null {
  if (!/^https?:\/\/[^/]/i.test(text) || refused.test(text)) return null;
  const found = parser.parse(text.replace(macro, 'x'));
  return found === null || found.hostname === '' ? null : found.host;
}
