/** So many characters of a secret in a row are hidden wherever they stand; fewer tell nothing. */
const fragment = 12;

/** Texts shorter than this are words, not secrets. */
const leastSecret = 4;

const mask = '…';

/**
 * Hides these secrets in a text: whole, cut anywhere, in another case, or as they look inside an address or JSON. What it
 * gives is safe to show, whatever the text was made of.
 */
export function hideSecrets(text: string, secrets: Iterable<string>): string {
  let hidden = text;
  for (const secret of secrets) {
    if (secret.length < leastSecret) continue;
    const forms = new Set([secret, encodeURIComponent(secret), secret.replaceAll('/', String.raw`\/`)]);
    for (const form of forms) hidden = hideOne(hidden, lower(form));
  }
  return hidden;
}

function hideOne(text: string, secret: string): string {
  const size = Math.min(fragment, secret.length);
  const fragments = new Set<string>();
  for (let at = 0; at + size <= secret.length; at += 1) fragments.add(secret.slice(at, at + size));
  const haystack = lower(text);
  let hidden = '';
  let at = 0;
  while (at < text.length) {
    if (fragments.has(haystack.slice(at, at + size))) {
      let end = at + size;
      while (end < text.length && fragments.has(haystack.slice(end - size + 1, end + 1))) end += 1;
      hidden += mask;
      at = end;
    } else {
      hidden += text.charAt(at);
      at += 1;
    }
  }
  return hidden;
}

/** ASCII alone, so that no text changes its length. */
function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
