/** Number of consecutive characters of a secret that are hidden wherever they occur; fewer reveal nothing. */
const fragment = 12;

/** Texts shorter than this are words, not secrets. */
const leastSecret = 4;

const sign = '…';

/** Hides every secret that was added to it. */
export interface Mask {
  add(secret: string): void;
  /**
   * Returns the text without those secrets: complete, cut anywhere, in another case, or as they look inside an address
   * or JSON. The result is safe to show, whatever the text was made of.
   */
  hide(text: string): string;
}

export function createMask(): Mask {
  const known = new Set<string>();
  const fragments = new Set<string>();
  /** Shorter than a fragment. */
  const whole = new Set<string>();

  function learn(form: string): void {
    if (form.length < fragment) whole.add(form);
    for (let at = 0; at + fragment <= form.length; at += 1) fragments.add(form.slice(at, at + fragment));
  }

  return {
    add(secret) {
      if (secret.length < leastSecret || known.has(secret)) return;
      known.add(secret);
      const forms = [secret, encodeURIComponent(secret), secret.replaceAll('/', String.raw`\/`)];
      for (const form of forms) learn(lower(form));
    },
    hide: (text) => [...whole].reduce(hideWhole, hideFragments(text, fragments)),
  };
}

function hideFragments(text: string, fragments: ReadonlySet<string>): string {
  const haystack = lower(text);
  const isSecretAt = (at: number): boolean => fragments.has(haystack.slice(at, at + fragment));
  let hidden = '';
  let at = 0;
  while (at < text.length) {
    if (!isSecretAt(at)) {
      hidden += text.charAt(at);
      at += 1;
      continue;
    }
    while (isSecretAt(at + 1)) at += 1;
    at += fragment;
    hidden += sign;
  }
  return hidden;
}

function hideWhole(text: string, secret: string): string {
  const haystack = lower(text);
  let hidden = '';
  let at = 0;
  for (let found = haystack.indexOf(secret); found >= 0; found = haystack.indexOf(secret, at)) {
    hidden += `${text.slice(at, found)}${sign}`;
    at = found + secret.length;
  }
  return hidden + text.slice(at);
}

/** ASCII alone, so that no text changes its length. */
function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
