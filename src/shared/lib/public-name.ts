/**
 * Whether a host, as a parsed URL gives it, is a public name: at least two labels whose last is not a number. No addresses
 * by number, no names of this machine or its network.
 */
export function isPublicName(hostname: string): boolean {
  const labels = hostname.split('.');
  const last = labels.at(-1) ?? '';
  const wellFormed = labels.every((label) => /^[a-z\d](?:[a-z\d_-]*[a-z\d])?$/.test(label));
  return (
    labels.length >= 2 && wellFormed && /^(?:[a-z]{2,}|xn--[a-z\d-]+)$/.test(last) && !ownNames.has(last)
  );
}

/** Top labels that never leave this machine or its network. */
const ownNames = new Set([
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'lan',
  'home',
  'corp',
  'arpa',
  'test',
  'invalid',
]);
