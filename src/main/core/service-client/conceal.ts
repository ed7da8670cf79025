/** What stands where a credential was. */
const mask = '[redacted]';

/** Shorter texts open nothing, and would blank parts of ordinary words. */
const leastLength = 8;

/**
 * Blanks a credential in text that came back from outside, as it is and as an address spells it: a service may quote what it
 * was sent, and an error of the network layer may carry it along.
 */
export function concealing(credential: string): (text: string) => string {
  if (credential.length < leastLength) return (text) => text;
  const spellings = spellingsOf(credential);
  return (text) => spellings.reduce((said, spelling) => said.replaceAll(spelling, mask), text);
}

/** What no address spells otherwise: nearly every token. */
const unreserved = /^[\w.*-]+$/;

function spellingsOf(credential: string): string[] {
  if (unreserved.test(credential)) return [credential];
  const inQuery = new URLSearchParams([['', credential]]).toString().slice(1);
  return [...new Set([credential, encodeURIComponent(credential), inQuery])];
}
