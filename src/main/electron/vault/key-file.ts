import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '#system/make-folder.ts';
import { writeWholeFileSync } from '#system/replace-file.ts';

/** Strength of the vault that wrapped the key. */
export type Strength = 'strong' | 'weak';

/** The data key at rest: wrapped by the vault, useless without it. */
export interface KeyFile {
  wrapped: Buffer;
  strength: Strength;
}

/** `damaged` is a file that is there and cannot be read or understood; it may still hold the only key. */
export type FoundKey = { kind: 'absent' } | { kind: 'damaged' } | ({ kind: 'found' } & KeyFile);

const version = 1;

/** Path of the wrapped key. */
const keyFileOf = (folder: string): string => join(folder, 'vault.key');

/** Looks for the wrapped key; never fails. */
export function readKeyFile(folder: string): FoundKey {
  let text: string;
  try {
    text = readFileSync(keyFileOf(folder), 'utf8');
  } catch (failure) {
    return { kind: isNotThere(failure) ? 'absent' : 'damaged' };
  }
  return understand(text);
}

/** Replaces the wrapped key completely or not at all, readable by this user only. Fails as the file system does. */
export function writeKeyFile(folder: string, { wrapped, strength }: KeyFile): void {
  makeFolder(folder, 0o700);
  const text = JSON.stringify({ version, wrapped: wrapped.toString('base64'), strength });
  writeWholeFileSync(keyFileOf(folder), `${text}\n`);
}

/** Removes the wrapped key; what it sealed never opens again. Fails as the file system does. */
export function removeKeyFile(folder: string): void {
  rmSync(keyFileOf(folder), { force: true });
}

function understand(text: string): FoundKey {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { kind: 'damaged' };
  }
  if (typeof parsed !== 'object' || parsed === null) return { kind: 'damaged' };
  const found: Partial<Record<string, unknown>> = { ...parsed };
  const { wrapped, strength } = found;
  if (found['version'] !== version || typeof wrapped !== 'string' || wrapped === '')
    return { kind: 'damaged' };
  if (strength !== 'strong' && strength !== 'weak') return { kind: 'damaged' };
  return { kind: 'found', wrapped: Buffer.from(wrapped, 'base64'), strength };
}

function isNotThere(failure: unknown): boolean {
  return failure instanceof Error && 'code' in failure && failure.code === 'ENOENT';
}
