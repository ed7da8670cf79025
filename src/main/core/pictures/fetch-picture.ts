import { BadPicture } from '#core/platform/pictures/picture.ts';
import { readPicture } from '#core/platform/pictures/read-picture.ts';
import {
  type HttpAnswer,
  type Lookup,
  readBytes,
  RequestFailure,
  type sendRequest,
  withDeadline,
} from '#core/service-client/index.ts';
import type { LoadedPicture } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { pinnedAddresses, type PictureAddress } from './picture-address.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

/** The largest file of a picture, in bytes. */
const maxPictureBytes = 2 * 1024 * 1024;
/** The largest picture that a page draws: a page needs four bytes for each pixel. */
const maxPicturePixels = 16_000_000;
/** The longest side, in pixels. */
const maxPictureSide = 16_384;
/** The three formats of which `readPicture` knows the header. The answer's bytes decide, not its `Content-Type`. */
const accept = 'image/webp, image/png, image/jpeg';

/** The way to the network, and its limits. */
export interface PictureFetchOptions {
  lookup: Lookup;
  send: typeof sendRequest;
  /** From the look-up of the name to the last byte, in milliseconds. */
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * Requests a picture once, over a connection of its own: no redirect is followed, and no cookie, referrer or credential is sent or kept.
 * Resolves with the picture once its header and its whole structure have been read; nothing is decoded here.
 * Fails with `picture_address_refused`, `picture_unreachable` or `picture_refused`.
 */
export async function fetchPicture(
  address: PictureAddress,
  { lookup, send, timeoutMs, signal: cancel }: PictureFetchOptions,
): Promise<LoadedPicture> {
  const signal = withDeadline(timeoutMs, cancel);
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

/** Type and size come from the bytes themselves. */
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
