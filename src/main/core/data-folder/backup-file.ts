import { createHash } from 'node:crypto';
import { closeSync, createReadStream, createWriteStream, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { AppError, diskFailure } from '#shared/errors/index.ts';
import { lastMomentMs } from '#shared/lib/date-text.ts';

/** The files of a backup in their order. A restore accepts no other file. */
export const backupNames = ['countersign.sqlite', 'ledger.anchor.json', 'backend.sqlite'] as const;

type BackupName = (typeof backupNames)[number];

const format = 'countersign backup';
const version = 1;
/** Length of the header in bytes, its line feed included. The files follow, each compressed with gzip. */
export const headerLength = 4096;

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/u);

const headerSchema = z.strictObject({
  format: z.literal(format),
  version: z.literal(version),
  madeAtMs: z.int().positive().max(lastMomentMs),
  appVersion: z.string().regex(/^[\w.+-]{1,100}$/u),
  ledger: z.strictObject({ rows: z.int().min(0), head: hashSchema }),
  files: z
    .array(
      z.strictObject({
        name: z.enum(backupNames),
        bytes: z.int().min(0),
        packedBytes: z.int().min(1),
        sha256: hashSchema,
      }),
    )
    .refine((files) => files.map(({ name }) => name).join() === backupNames.join()),
});

export type BackupHeader = z.infer<typeof headerSchema>;

type PackedFile = BackupHeader['files'][number];

/** Fails as the disk does. */
export async function packBackup(
  folder: string,
  target: string,
  facts: Pick<BackupHeader, 'madeAtMs' | 'appVersion' | 'ledger'>,
): Promise<void> {
  try {
    write(target, 'wx', `${' '.repeat(headerLength - 1)}\n`);
    const files: PackedFile[] = [];
    for (const name of backupNames) files.push(await pack(name, join(folder, name), target));
    const line = JSON.stringify({ format, version, ...facts, files }).padEnd(headerLength - 1);
    write(target, 'r+', line);
  } catch (cause) {
    throw diskFailure(cause, 'storage_failed');
  }
}

async function pack(name: BackupName, from: string, target: string): Promise<PackedFile> {
  const before = statSync(target).size;
  const counted = createCounter(Infinity);
  const end = createWriteStream(target, { flags: 'a', flush: true });
  await pipeline(createReadStream(from), counted.stream, createGzip(), end);
  return { name, ...counted.result(), packedBytes: statSync(target).size - before };
}

function write(file: string, flags: string, text: string): void {
  const descriptor = openSync(file, flags, 0o600);
  try {
    writeSync(descriptor, text, 0);
  } finally {
    closeSync(descriptor);
  }
}

/** Fails with `backup_unreadable` or `backup_newer`. */
export function parseBackupHeader(line: Buffer): BackupHeader {
  let value: unknown;
  try {
    value = JSON.parse(line.toString('utf8'));
  } catch (cause) {
    throw new AppError('backup_unreadable', { cause });
  }
  const named = z.object({ format: z.literal(format), version: z.int() }).safeParse(value);
  if (named.success && named.data.version > version) throw new AppError('backup_newer');
  const header = headerSchema.safeParse(value);
  if (!header.success) throw new AppError('backup_unreadable', { cause: header.error });
  return header.data;
}

export function backupSize({ files }: BackupHeader): { packedBytes: number; bytes: number } {
  const sum = (of: 'packedBytes' | 'bytes'): number => files.reduce((total, file) => total + file[of], 0);
  return { packedBytes: headerLength + sum('packedBytes'), bytes: sum('bytes') };
}

/** Fails with `backup_damaged` if a file contradicts the header, or as the disk does. */
export async function unpackBackup(file: string, { files }: BackupHeader, folder: string): Promise<void> {
  let start = headerLength;
  for (const packed of files) {
    await unpack(packed, { file, start, target: join(folder, packed.name) });
    start += packed.packedBytes;
  }
}

async function unpack(
  { bytes, packedBytes, sha256, name }: PackedFile,
  { file, start, target }: { file: string; start: number; target: string },
): Promise<void> {
  const counted = createCounter(bytes);
  try {
    const end = createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true });
    const source = createReadStream(file, { start, end: start + packedBytes - 1 });
    await pipeline(source, createGunzip(), counted.stream, end);
  } catch (cause) {
    if (cause instanceof TooMuch || isBrokenGzip(cause)) throw new AppError('backup_damaged', { cause });
    throw diskFailure(cause, 'storage_failed');
  }
  const found = counted.result();
  if (found.bytes !== bytes || found.sha256 !== sha256)
    throw new AppError('backup_damaged', { data: { name } });
}

const isBrokenGzip = (failure: unknown): boolean =>
  failure instanceof Error && 'code' in failure && String(failure.code).startsWith('Z_');

class TooMuch extends Error {}

function createCounter(maxBytes: number): { stream: Transform; result(): { bytes: number; sha256: string } } {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) return done(new TooMuch());
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { stream, result: () => ({ bytes, sha256: hash.digest('hex') }) };
}
