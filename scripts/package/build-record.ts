import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/**
 * The signature of a program. On macOS `notarised` includes signed, and a program that is only `signed` asks at its first start.
 * Linux has no signature; test builds for macOS have a signature without an identity.
 */
const signatures = ['none', 'signed', 'notarised'] as const;

export type Signature = (typeof signatures)[number];

const buildRecordSchema = z.strictObject({
  version: z.string(),
  platform: z.enum(['linux', 'mac', 'win']),
  arch: z.enum(['x64', 'arm64']),
  electron: z.string(),
  signature: z.enum(signatures),
  test: z.string().nullable(),
});

export type BuildRecord = z.infer<typeof buildRecordSchema>;

export const recordName = /^build-(?:linux|mac|win)-(?:x64|arm64)\.json$/;

const systems: Partial<Record<string, BuildRecord['platform']>> = { darwin: 'mac', win32: 'win' };

export const systemOf = (platform: string): BuildRecord['platform'] => systems[platform] ?? 'linux';

export const recordNameOf = (platform: string, arch: string): string =>
  `build-${systemOf(platform)}-${arch}.json`;

export function writeBuildRecord(folder: string, record: BuildRecord): void {
  const { platform, arch } = record;
  writeFileSync(join(folder, `build-${platform}-${arch}.json`), `${JSON.stringify(record, null, 2)}\n`);
}

export function readBuildRecord(file: string): BuildRecord {
  return buildRecordSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

export function electronVersionOf(program: string): string {
  const found = readFileSync(program)
    .toString('latin1')
    .match(/ Electron\/(\d+\.\d+\.\d+[\w.-]*)\0/);
  if (found?.[1] === undefined) throw new Error(`${program} names no Electron`);
  return found[1];
}
