/** From here on an expiry is a warning, in milliseconds. */
const shortMs = 3_600_000;

const minuteMs = 60_000;

/** When a token ends, in words for a person who has to replace it by hand. */
export interface Expiry {
  kind: 'unknown' | 'later' | 'soon' | 'past';
  words: string;
}

/** `momentText` writes a moment, for example `24 Nov, 14:02`. */
export function expiryOf(
  expiresAtMs: number | null,
  nowMs: number,
  momentText: (atMs: number, nowMs: number) => string,
): Expiry {
  if (expiresAtMs === null) return { kind: 'unknown', words: 'The token does not say when it expires.' };
  const leftMs = expiresAtMs - nowMs;
  const at = momentText(expiresAtMs, nowMs);
  if (leftMs <= 0) return { kind: 'past', words: `Expired at ${at}. Paste a new one.` };
  if (leftMs > shortMs) return { kind: 'later', words: `Expires at ${at}.` };
  const minutes = Math.max(1, Math.floor(leftMs / minuteMs));
  return { kind: 'soon', words: `Expires in ${minutes} min, at ${at}. Have a new one ready.` };
}
