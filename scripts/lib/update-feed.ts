import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  feedName,
  feedSchema,
  readSignedFeed,
  signatureName,
} from '../../src/main/electron/updates/signed-feed.ts';
import { publicKeyOf, signBytes } from '../../src/main/system/ed25519.ts';

export interface FeedContent {
  version: string;
  publisher: string;
  released: Date;
  validDays: number;
  news: readonly string[];
  files: readonly { system: string; arch: string; name: string; bytes: number; sha512: string }[];
}

export function feedBytes({ released, validDays, ...content }: FeedContent): Buffer {
  const expires = new Date(released.getTime() + validDays * 24 * 60 * 60_000);
  const feed = {
    format: 'countersign-updates-1',
    ...content,
    released: released.toISOString(),
    expires: expires.toISOString(),
  };
  return Buffer.from(`${JSON.stringify(feed, null, 2)}\n`);
}

export const signatureText = (bytes: Uint8Array, key: KeyObject): string => `${signBytes(bytes, key)}\n`;

const kinds = [
  { system: 'win32', form: /-win-(x64|arm64)\.exe$/ },
  { system: 'darwin', form: /-mac-(x64|arm64)\.zip$/ },
  { system: 'linux', form: /-linux-(x64|x86_64|arm64)\.AppImage$/ },
] as const;

export function updateFiles(folder: string, version: string): FeedContent['files'] {
  const files = readdirSync(folder)
    .filter((name) => name.startsWith(`Countersign-${version}-`))
    .toSorted()
    .flatMap((name) => {
      const kind = kinds.find(({ form }) => form.test(name));
      if (kind === undefined) return [];
      const arch = kind.form.exec(name)?.[1] === 'arm64' ? 'arm64' : 'x64';
      const path = join(folder, name);
      return [{ system: kind.system, arch, name, bytes: statSync(path).size, sha512: sha512Of(path) }];
    });
  if (files.length === 0) throw new Error(`${folder} has no package of version ${version} that updates one`);
  return files;
}

function sha512Of(path: string): string {
  const hash = createHash('sha512');
  const handle = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(4 * 1024 * 1024);
    for (let length = -1; length !== 0;) {
      length = readSync(handle, buffer, 0, buffer.length, null);
      hash.update(buffer.subarray(0, length));
    }
  } finally {
    closeSync(handle);
  }
  return hash.digest('base64');
}

export function readSigningKey({
  pem,
  file,
}: {
  pem: string | undefined;
  file: string | undefined;
}): KeyObject {
  const given = pem ?? '';
  const text = given === '' && file !== undefined ? readFileSync(file, 'utf8') : given;
  if (text === '') {
    throw new Error('No key: set COUNTERSIGN_UPDATE_PRIVATE_KEY, or name a file with --key-file');
  }
  const key = createPrivateKey(text);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The key is not an Ed25519 key');
  return key;
}

/**
 * Makes a list of updates with its signature, and reads both as the app does. Fails if the app would refuse them, for example
 * because it does not know the key.
 */
export function signFeed(
  content: FeedContent,
  key: KeyObject,
  keys: readonly string[] = [publicKeyOf(key).text],
): { bytes: Buffer; signature: string } {
  const bytes = feedBytes(content);
  const signature = signatureText(bytes, key);
  feedSchema.parse(JSON.parse(bytes.toString('utf8')));
  readSignedFeed(bytes, signature, {
    keys,
    publisher: content.publisher,
    installed: content.version,
    newest: null,
    nowMs: content.released.getTime(),
  });
  return { bytes, signature };
}

export interface FeedRelease {
  folder: string;
  version: string;
  news: readonly string[];
  validDays?: number;
  key: KeyObject;
  environment: Readonly<Record<string, string | undefined>>;
}

export function writeFeed({ folder, version, news, validDays = 60, key, environment }: FeedRelease): void {
  const keys = (environment['COUNTERSIGN_UPDATE_KEYS'] ?? '').split(',').map((text) => text.trim());
  const { bytes, signature } = signFeed(
    {
      version,
      publisher: environment['COUNTERSIGN_PUBLISHER'] ?? '',
      released: new Date(),
      validDays,
      news,
      files: updateFiles(folder, version),
    },
    key,
    keys,
  );
  writeFileSync(join(folder, feedName), bytes);
  writeFileSync(join(folder, signatureName), signature);
}
