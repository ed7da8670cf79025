import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import {
  type Lookup,
  sendRequest,
  systemLookup,
  type HttpAnswer,
  readBytes,
  RequestFailure,
  withDeadline,
  isLoopback,
  publicAddresses,
  readPlainAddress,
} from '#core/service-client/index.ts';
import type { LoadedPicture, ProposalView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { BadPicture, readPicture } from '#core/platform/pictures/read-picture.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';
import { isPublicName } from '#shared/lib/web-address.ts';

export interface PictureSource extends Pick<ProposalView, 'pictures'> {
  profile: { id: string };
}

export interface Pictures extends AsyncDisposable {
  /** Fails with `picture_unknown`, `picture_address_refused`, `picture_unreachable` or `picture_refused`. */
  load(source: PictureSource, url: string): Promise<LoadedPicture>;
}

export interface PictureNetwork {
  /** Refuses pictures of other origins before any DNS query. */
  isOwnOnly: boolean;
  lookup: Lookup;
  send: typeof sendRequest;
  timeoutMs: number;
}

export interface PicturesOptions {
  ownOrigins(profileId: string): readonly string[];
  /** Returns a picture that this app uploads or has uploaded; null for any other picture. */
  local?(profileId: string, url: string): LoadedPicture | null;
  clock: Pick<Clock, 'monotonicMs'>;
  network?: Partial<PictureNetwork>;
}

const defaultNetwork: PictureNetwork = {
  isOwnOnly: false,
  lookup: systemLookup,
  send: sendRequest,
  timeoutMs: 10_000,
};

/** Limits of the cache: pictures, base64 characters, milliseconds. */
const maxCached = 24;
const maxCachedLength = 16 * 1024 * 1024;
const cachedMs = 5 * 60_000;

interface CachedPicture {
  picture: Promise<LoadedPicture>;
  length: number;
  sinceMs: number;
}

export function createPictures({ ownOrigins, local, clock, network }: PicturesOptions): Pictures {
  const limits = { ...defaultNetwork, ...network };
  const end = new AbortController();
  const cache = new Map<string, CachedPicture>();

  function fetchCached(key: string, address: ReturnType<typeof checkPictureAddress>): Promise<LoadedPicture> {
    const picture = withDeadline(limits.timeoutMs, [end.signal], (signal) =>
      fetchPicture(address, { ...limits, signal }),
    );
    const entry: CachedPicture = { picture, length: 0, sinceMs: clock.monotonicMs() };
    cache.set(key, entry);
    picture.then(
      ({ base64 }) => {
        entry.length = base64.length;
        dropOldest();
      },
      () => {
        if (cache.get(key) === entry) cache.delete(key);
      },
    );
    return picture;
  }

  function dropOldest(): void {
    let length = [...cache.values()].reduce((sum, entry) => sum + entry.length, 0);
    for (const [key, entry] of cache) {
      if (cache.size <= maxCached && length <= maxCachedLength) return;
      cache.delete(key);
      length -= entry.length;
    }
  }

  return {
    async load({ profile, pictures = [] }, url) {
      if (!pictures.some((named) => named.url === url)) throw new AppError('picture_unknown');
      const here = local?.(profile.id, url) ?? null;
      if (here !== null) return here;
      const address = checkPictureAddress(url, ownOrigins(profile.id), limits);
      // The key contains the profile, because one profile's own origin has no privilege for another profile.
      const key = `${address.isOwn ? profile.id : ''} ${address.url.href}`;
      const known = cache.get(key);
      if (known !== undefined && clock.monotonicMs() - known.sinceMs < cachedMs) return known.picture;
      cache.delete(key);
      return fetchCached(key, address);
    },
    async dispose() {
      end.abort(new DOMException('Countersign is closing', 'AbortError'));
      await Promise.allSettled([...cache.values()].map(({ picture }) => picture));
      cache.clear();
    },
  };
}

const maxPictureBytes = 2 * 1024 * 1024;
/** Limits the pixels, because a decoded picture takes four bytes per pixel in a page. */
const maxPicturePixels = 16_000_000;
const maxPictureSide = 16_384;
/** Only asks for these formats: the bytes decide the format, not the answer's `Content-Type`. */
const accept = 'image/webp, image/png, image/jpeg';

interface PictureFetchOptions extends PictureNetwork {
  signal: AbortSignal;
}

/**
 * Makes one request over its own connection, without redirect, cookie, referrer or credential. Fails with
 * `picture_address_refused`, `picture_unreachable` or `picture_refused`.
 */
async function fetchPicture(
  address: PictureAddress,
  { lookup, send, signal }: PictureFetchOptions,
): Promise<LoadedPicture> {
  try {
    const addresses = await pinnedAddresses(address, lookup, signal);
    const answer = await send({
      method: 'GET',
      url: address.url,
      headers: { accept },
      credential: null,
      addresses,
      ownConnection: true,
      redirects: 'fail',
      signal,
    });
    return pictureOf(await contentOf(answer));
  } catch (failure) {
    throw failure instanceof RequestFailure ? unreachable(reasonOf(failure), failure) : failure;
  }
}

async function contentOf(answer: HttpAnswer): Promise<Buffer> {
  if (answer.status !== 200) {
    answer.cancel();
    throw unreachable(`the answer has the status ${answer.status}`);
  }
  const content = await readBytes(answer, maxPictureBytes);
  if (content === null) throw refused('It is larger than 2 MiB.');
  return content;
}

function pictureOf(content: Buffer): LoadedPicture {
  const { type, width, height } = headerOf(content);
  if (width === 0 || height === 0) throw refused('It has no pixels.');
  if (width > maxPictureSide || height > maxPictureSide || width * height > maxPicturePixels) {
    throw refused(`It has ${width} × ${height} pixels, too many to draw.`);
  }
  return { type, width, height, base64: content.toString('base64') };
}

function headerOf(content: Buffer): ReturnType<typeof readPicture> {
  try {
    return readPicture(content);
  } catch (failure) {
    throw failure instanceof BadPicture ? refused(failure.message, failure) : failure;
  }
}

function reasonOf(failure: RequestFailure): string {
  if (failure.isRedirect) return 'the address redirects elsewhere, which is not followed';
  return failure.isLate ? 'no whole answer came in time' : 'the connection failed or broke off';
}

function unreachable(reason: string, cause?: Error): AppError {
  return new AppError('picture_unreachable', {
    message: sentence`The picture was not loaded: ${ownWords(reason)}.`,
    cause,
  });
}

function refused(reason: string, cause?: Error): AppError {
  return new AppError('picture_refused', {
    message: sentence`This isn’t a picture that Countersign can draw. ${ownWords(reason)}`,
    cause,
  });
}

interface PictureAddress {
  url: URL;
  isOwn: boolean;
}

/** Own origins: https, or http on the loopback. Other origins: https to a public name. Fails with `picture_address_refused`. */
function checkPictureAddress(
  text: string,
  ownOrigins: readonly string[],
  { isOwnOnly }: PictureNetwork,
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

/** Addresses to which the request may connect; null at an own origin. Fails with `picture_address_refused` or `RequestFailure`. */
async function pinnedAddresses(
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
