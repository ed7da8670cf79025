import { z } from 'zod';
import { AppError } from '#shared/errors/index.ts';
import type { NewestFeed } from '#shared/host-api/index.ts';
import { JsonRefusal, readStrictJson } from '#shared/lib/json/strict-parse.ts';
import { readPublicKey, verifiesSignature } from '#system/ed25519.ts';

export const feedName = 'feed.json';
export const signatureName = 'feed.json.sig';

const dayMs = 24 * 60 * 60_000;

/** Maximum validity of a signed list of updates, in milliseconds, so that an old list cannot withhold updates for years. */
const maxValidMs = 180 * dayMs;

const maxClockErrorMs = dayMs;

const version = z.string().regex(/^(0|[1-9]\d{0,5})(\.(0|[1-9]\d{0,5})){2}$/);
const time = z.iso.datetime().transform((text) => Date.parse(text));

const fileSchema = z.strictObject({
  system: z.enum(['linux', 'darwin', 'win32']),
  arch: z.enum(['x64', 'arm64']),
  name: z.string().regex(/^[A-Za-z0-9][\w.-]{0,149}$/),
  bytes: z.int().min(1).max(4_000_000_000),
  sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
});

/** The signed list of updates (docs/updates.md). Unknown members are refused, because a newer form has a newer `format`. */
export const feedSchema = z.strictObject({
  format: z.literal('countersign-updates-1'),
  version,
  publisher: z.string().min(1).max(200),
  released: time,
  expires: time,
  news: z.array(z.string().min(1).max(200)).min(1).max(2),
  files: z.array(fileSchema).min(1).max(12),
});

export type Feed = z.output<typeof feedSchema>;
export type FeedFile = Feed['files'][number];

export interface FeedContext {
  keys: readonly string[];
  publisher: string;
  installed: string;
  newest: NewestFeed | null;
  nowMs: number;
}

/** Checks the signature over the exact bytes, then the form, then all other rules. Fails with the code of the first failed check. */
export function readSignedFeed(bytes: Uint8Array, signature: string | null, context: FeedContext): Feed {
  assertSigned(bytes, signature, context.keys);
  const feed = parseFeed(bytes);
  if (feed.publisher !== context.publisher) throw new AppError('update_publisher_wrong');
  assertDates(feed, context);
  assertNotReplayed(feed, context.newest);
  if (compareVersions(feed.version, context.installed) < 0) throw new AppError('update_older');
  return feed;
}

function assertSigned(bytes: Uint8Array, signature: string | null, keys: readonly string[]): void {
  const given = signature?.trim() ?? '';
  if (given === '') throw new AppError('update_signature_missing');
  const isOurs = keys.some((text) => {
    const key = readPublicKey(text);
    return key !== null && verifiesSignature(bytes, given, key.key);
  });
  if (!isOurs) throw new AppError('update_signature_wrong');
}

function parseFeed(bytes: Uint8Array): Feed {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return feedSchema.parse(readStrictJson(text));
  } catch (cause) {
    if (cause instanceof z.ZodError || cause instanceof JsonRefusal || cause instanceof TypeError) {
      throw new AppError('update_feed_invalid', { cause });
    }
    throw cause;
  }
}

/** The newest accepted list gives a lower bound for the time, so that a clock that was set back does not make an expired list valid. */
function assertDates({ released, expires }: Feed, { nowMs, newest }: FeedContext): void {
  const leastNowMs = Math.max(nowMs, newest?.releasedAtMs ?? 0);
  if (expires <= released || expires > released + maxValidMs) throw new AppError('update_feed_invalid');
  if (released > nowMs + maxClockErrorMs) {
    throw new AppError('update_feed_expired', { message: 'The list of updates is dated in the future.' });
  }
  if (expires <= leastNowMs) throw new AppError('update_feed_expired');
}

function assertNotReplayed(feed: Feed, newest: NewestFeed | null): void {
  if (newest === null || feed.released > newest.releasedAtMs) return;
  if (feed.released < newest.releasedAtMs || feed.version !== newest.version) {
    throw new AppError('update_feed_replayed');
  }
}

export function compareVersions(one: string, other: string): number {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  const at = a.findIndex((number, index) => number !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

function numbersOf(text: string): number[] {
  const [, major, minor, patch, rest] = /^(\d+)\.(\d+)\.(\d+)(.*)$/.exec(text) ?? [];
  return [Number(major ?? 0), Number(minor ?? 0), Number(patch ?? 0), rest === '' ? 1 : 0];
}

export function fileFor(feed: Feed, system: string, arch: string): FeedFile | null {
  return feed.files.find((file) => file.system === system && file.arch === arch) ?? null;
}
