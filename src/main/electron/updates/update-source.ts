import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { UpdatesOff } from '#shared/host-api/index.ts';
import { readPublicKey } from '#system/ed25519.ts';

const updateSourceSchema = z.strictObject({
  feed: z.url({ protocol: /^https$/ }).endsWith('/'),
  keys: z
    .tuple([z.string(), z.string()])
    .refine(([current, next]) => current !== next && [current, next].every((key) => readPublicKey(key))),
  publisher: z.string().min(1).max(200),
});

export type UpdateSource = z.infer<typeof updateSourceSchema>;

const names = {
  feed: 'COUNTERSIGN_UPDATE_FEED',
  keys: 'COUNTERSIGN_UPDATE_KEYS',
  publisher: 'COUNTERSIGN_PUBLISHER',
} as const;

/** Reads the source from a build's environment; null without a feed. Fails if a variable is missing or invalid. */
export function updateSourceOf(environment: Record<string, string | undefined>): UpdateSource | null {
  const feed = environment[names.feed] ?? '';
  if (feed === '') return null;
  const parsed = updateSourceSchema.safeParse({
    feed,
    keys: (environment[names.keys] ?? '').split(',').map((key) => key.trim()),
    publisher: environment[names.publisher] ?? '',
  });
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(({ path }) => names[path[0] as keyof typeof names]);
  throw new Error(
    `Updates need an https folder ending with “/” (${names.feed}), two public keys (${names.keys}) and a publisher (${names.publisher}). Wrong: ${[...new Set(wrong)].join(', ')}`,
  );
}

/** The build writes this value into the bundle (vite.main.config.ts). */
declare const COUNTERSIGN_UPDATE_SOURCE: UpdateSource | null;

export const builtSource = (): UpdateSource | null => COUNTERSIGN_UPDATE_SOURCE;

export interface Installation {
  isPackaged: boolean;
  platform: NodeJS.Platform;
  appImage: string | undefined;
  folder: string;
  exists?(path: string): boolean;
}

export function whyOff(source: UpdateSource | null, installation: Installation): UpdatesOff | null {
  const { isPackaged, platform, appImage, folder, exists = existsSync } = installation;
  if (!isPackaged) return 'development';
  if (platform === 'linux' && appImage === undefined) return 'package-manager';
  if (source === null) return 'administrator';
  // A folder unpacked from the zip has no installer that could replace it.
  if (platform === 'win32' && !exists(join(folder, 'Uninstall Countersign.exe'))) return 'administrator';
  return null;
}
