import {
  isLoopback,
  type Lookup,
  publicAddresses,
  readPlainAddress,
  RequestFailure,
} from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isPublicName } from '#shared/lib/web-address.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

/** An address from which a picture may be requested. */
export interface PictureAddress {
  url: URL;
  /** True at an origin of the profile itself, whatever its name resolves to. */
  isOwn: boolean;
}

/**
 * The address policy of pictures. At one of the profile's own origins: https, or http on the loopback. Anywhere else: https to a
 * public name. Never an address by number, a user, a fragment, or a spelling that parsers read in two ways.
 * With `isOwnOnly` nowhere else. Fails with `picture_address_refused`.
 */
export function checkPictureAddress(
  text: string,
  ownOrigins: readonly string[],
  { isOwnOnly }: { isOwnOnly: boolean } = { isOwnOnly: false },
): PictureAddress {
  const read = readPlainAddress(text);
  if (read.url === null) throw addressRefused(read.because);
  const { url } = read;
  const isOwn = ownOrigins.includes(url.origin);
  const isSecure = url.protocol === 'https:' || (isOwn && isLoopback(url.hostname));
  if (isOwnOnly && !isOwn) throw addressRefused('training loads nothing from other computers');
  if (!isSecure) throw addressRefused('it is not https');
  if (!isOwn && !isPublicName(url.hostname)) throw addressRefused('its host is no public name');
  return { url, isOwn };
}

/**
 * The numeric addresses to which the request is pinned, from one look-up of the name; null at the profile's own origin, where the
 * one connection resolves the name itself. Fails with `picture_address_refused` if any of them is not on the public internet, or with
 * `RequestFailure` as a request does.
 */
export async function pinnedAddresses(
  { url, isOwn }: PictureAddress,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  if (isOwn) return null;
  let addresses;
  try {
    addresses = await publicAddresses(url.hostname, lookup, signal);
  } catch (cause) {
    throw new RequestFailure(false, cause instanceof Error ? cause : new Error(String(cause)));
  }
  if (addresses === null) throw addressRefused('its name leads into a private network');
  return addresses;
}

function addressRefused(because: string): AppError {
  return new AppError('picture_address_refused', {
    message: sentence`Countersign loads no picture from this address: ${ownWords(because)}.`,
  });
}
