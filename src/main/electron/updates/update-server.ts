import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { AppError, diskFailure } from '#shared/errors/index.ts';
import { type HttpAnswer, readBytes } from '#system/http/answer.ts';
import { noAnswerCode } from '#system/http/failure-codes.ts';
import { RequestFailure, sendRequest, withDeadline } from '#system/http/request.ts';
import { type FeedFile, feedName, signatureName } from './signed-feed.ts';
import { sentence } from '#shared/lib/sentence.ts';

const maxFeedBytes = 64 * 1024;
const maxSignatureBytes = 1024;
const feedDeadlineMs = 30_000;

const downloadDeadlineMs = 4 * 60 * 60_000;

const reportEveryMs = 250;

/** The update server of this build. Requests contain no cookie, no id and no information about this computer. */
export interface UpdateServer {
  loadFeed(signal: AbortSignal): Promise<{ bytes: Buffer; signature: string | null }>;
  /** Loads a file to a private path. Fails with `update_file_wrong`, and leaves no file, unless length and hash are the signed ones. */
  loadFile(file: FeedFile, destination: string, progress: LoadProgress): Promise<void>;
}

export interface LoadProgress {
  onBytes(receivedBytes: number): void;
  signal: AbortSignal;
}

/** Uses only https, without redirects. Fails with `update_unreachable`, `update_address_refused`, or as the network does. */
export function createUpdateServer(feed: string): UpdateServer {
  async function get(name: string, signal: AbortSignal): Promise<HttpAnswer> {
    const url = new URL(name, feed);
    if (url.protocol !== 'https:') throw new AppError('update_address_refused');
    return orRefused(
      sendRequest({
        method: 'GET',
        url,
        headers: { accept: '*/*', 'cache-control': 'no-cache' },
        credential: null,
        signal,
      }),
    );
  }

  async function bytesOf(name: string, maxBytes: number, signal: AbortSignal): Promise<Buffer | null> {
    const answer = await get(name, signal);
    if (answer.status !== 200) {
      answer.cancel();
      if (answer.status === 404) return null;
      throw new AppError('update_unreachable', { data: { status: answer.status } });
    }
    const bytes = await orRefused(readBytes(answer, maxBytes));
    if (bytes === null) throw new AppError('update_feed_invalid');
    return bytes;
  }

  return {
    loadFeed: (cancel) =>
      withDeadline(feedDeadlineMs, [cancel], async (signal) => {
        const bytes = await bytesOf(feedName, maxFeedBytes, signal);
        if (bytes === null) throw new AppError('update_unreachable', { data: { status: 404 } });
        const signature = await bytesOf(signatureName, maxSignatureBytes, signal);
        return { bytes, signature: signature?.toString('latin1') ?? null };
      }),
    loadFile: (file, destination, { onBytes, signal: cancel }) =>
      withDeadline(downloadDeadlineMs, [cancel], async (signal) => {
        const answer = await get(file.name, signal);
        if (answer.status !== 200) {
          answer.cancel();
          throw new AppError('update_unreachable', { data: { status: answer.status } });
        }
        try {
          await writeSigned(answer.body, file, destination, onBytes);
        } catch (failure) {
          await rm(destination, { force: true });
          throw failure instanceof RequestFailure ? refusalOf(failure) : failure;
        }
      }),
  };
}

async function writeSigned(
  body: AsyncIterable<Uint8Array>,
  { bytes, sha512 }: FeedFile,
  destination: string,
  onBytes: (receivedBytes: number) => void,
): Promise<void> {
  const hash = createHash('sha512');
  const handle = await asDisk(() => open(destination, 'w', 0o600));
  let received = 0;
  let reportedAt = -reportEveryMs;
  try {
    for await (const chunk of body) {
      received += chunk.byteLength;
      if (received > bytes) break;
      hash.update(chunk);
      await asDisk(() => handle.appendFile(chunk));
      if (performance.now() - reportedAt < reportEveryMs) continue;
      reportedAt = performance.now();
      onBytes(received);
    }
    if (received !== bytes || hash.digest('base64') !== sha512) throw new AppError('update_file_wrong');
    await asDisk(() => handle.sync());
  } finally {
    await handle.close();
  }
}

async function asDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw diskFailure(cause, 'storage_failed', sentence`The update cannot be written to disk.`);
  }
}

async function orRefused<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (failure) {
    throw failure instanceof RequestFailure ? refusalOf(failure) : failure;
  }
}

function refusalOf(failure: RequestFailure): AppError {
  if (failure.isRedirect) return new AppError('update_address_refused', { cause: failure });
  const code = noAnswerCode(failure.cause);
  return new AppError(code === 'service_unreachable' ? 'update_unreachable' : code, { cause: failure });
}
