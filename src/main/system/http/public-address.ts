import { lookup as lookupName } from 'node:dns/promises';
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IPv4 ranges that are not on the public internet (IANA special-purpose registry). */
const privateIPv4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/**
 * Ranges inside the public block of IPv6 that must be refused: those for documentation, and those that contain IPv4 addresses
 * (Teredo, 6to4).
 */
const privateIPv6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const refusedIPv4 = blockList(privateIPv4, 'ipv4');
const refusedIPv6 = blockList(privateIPv6, 'ipv6');
const publicIPv6 = blockList([['2000::', 3]], 'ipv6');
const translated = blockList([['64:ff9b::', 96]], 'ipv6');

/** True for a public numeric address. An IPv4 address translated to IPv6 (RFC 6052) is judged by the IPv4 address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refusedIPv4.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  if (translated.check(address, 'ipv6')) return isPublicAddress(translatedIPv4(address));
  return publicIPv6.check(address, 'ipv6') && !refusedIPv6.check(address, 'ipv6');
}

function translatedIPv4(address: string): string {
  const [high = 0, low = 0] = (URL.parse(`http://[${address}]`)?.hostname ?? '')
    .replace(/[[\]]/g, '')
    .split(':')
    .slice(-2)
    .map((group) => Number.parseInt(group === '' ? '0' : group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function blockList(networks: readonly [string, number][], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family);
  return list;
}

export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(hostname);
}

export type Lookup = (hostname: string) => Promise<readonly string[]>;

export const systemLookup: Lookup = async (hostname) => {
  const found = await lookupName(hostname, { all: true });
  return found.map(({ address }) => address);
};

/** Resolves a name. Null if any address is not public; empty for a name that only a proxy can resolve. Fails as the signal does. */
export async function publicAddresses(
  hostname: string,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<string[] | null> {
  let addresses;
  try {
    addresses = await untilAborted(lookup(hostname), signal);
  } catch {
    signal.throwIfAborted();
    return [];
  }
  return addresses.length > 0 && addresses.every(isPublicAddress) ? [...addresses] : null;
}

/** Waits for work that cannot be stopped, only abandoned. Fails with the signal's reason. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
