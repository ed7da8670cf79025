import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import { type Lookup, sendRequest, systemLookup } from '#core/service-client/index.ts';
import type { LoadedPicture, ProposalView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { fetchPicture } from './fetch-picture.ts';
import { checkPictureAddress } from './picture-address.ts';

/** The proposal, or the campaign of a profile, that names a picture. */
export interface PictureSource extends Pick<ProposalView, 'pictures'> {
  profile: { id: string };
}

/** Pictures of creatives: the only way in which one is loaded (docs/decisions/0039). */
export interface Pictures extends AsyncDisposable {
  /**
   * Loads a picture that the source names, from memory if it was loaded shortly before. Fails with `picture_unknown` for any
   * other address, or with `picture_address_refused`, `picture_unreachable` or `picture_refused`.
   */
  load(source: PictureSource, url: string): Promise<LoadedPicture>;
}

/** The way to the network; a test brings its own, and training has none. */
export interface PictureNetwork {
  /** Refuses every picture that is not at one of the profile's own origins, before any look-up. */
  isOwnOnly: boolean;
  /** Looks a name up once for each request. */
  lookup: Lookup;
  send: typeof sendRequest;
  /** From the look-up to the last byte, in milliseconds. */
  timeoutMs: number;
}

export interface PicturesOptions {
  /** The origins of a profile's addresses; none where the profile is gone. */
  ownOrigins(profileId: string): readonly string[];
  /** A picture that this app has uploaded or is about to, from this computer; null for any other. */
  local?(profileId: string, url: string): LoadedPicture | null;
  clock: Pick<Clock, 'monotonicMs'>;
  network?: Partial<PictureNetwork>;
}

const usualNetwork: PictureNetwork = {
  isOwnOnly: false,
  lookup: systemLookup,
  send: sendRequest,
  timeoutMs: 10_000,
};

/** Limits of the memory: pictures, characters of base64, and their age in milliseconds. */
const maxCached = 24;
const maxCachedLength = 16 * 1024 * 1024;
const cachedMs = 5 * 60_000;

interface CachedPicture {
  picture: Promise<LoadedPicture>;
  /** Of its base64; 0 while it is on its way. */
  length: number;
  sinceMs: number;
}

/** Makes the one loader of pictures. Dispose ends what is on its way. */
export function createPictures({ ownOrigins, local, clock, network }: PicturesOptions): Pictures {
  const limits = { ...usualNetwork, ...network };
  const end = new AbortController();
  /** Oldest first. One address is requested once, however many wait for it; failures are not kept. */
  const cache = new Map<string, CachedPicture>();

  function fetchCached(key: string, address: ReturnType<typeof checkPictureAddress>): Promise<LoadedPicture> {
    const picture = fetchPicture(address, { ...limits, signal: end.signal });
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
      // An origin that is one profile's own has no privilege for another profile.
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
