import { rm } from 'node:fs/promises';
import type { DesktopLog } from '../platform/log.ts';
import type { Settings } from '../platform/settings.ts';
import type { Vault } from '../vault/open-vault.ts';

export interface ResetParts {
  settings: Pick<Settings, 'get' | 'reset' | 'writing'>;
  behaviour: { change(change: { startAtLogin?: boolean }): unknown };
  clearPages(): Promise<void>;
  folders: readonly string[];
  vault: Promise<Pick<Vault, 'renew'> | null>;
  log: DesktopLog;
}

/**
 * Resets the desktop's own data: settings, start at login, page storage, data key. Returns the new key in base64; null if it is
 * unchanged. A failed step does not stop the others.
 */
export async function resetHost(parts: ResetParts): Promise<string | null> {
  const { settings, behaviour, clearPages, folders, vault, log } = parts;

  async function attempt(step: string, work: () => unknown): Promise<void> {
    try {
      await work();
    } catch (failure) {
      const code = failure instanceof Error && 'code' in failure ? failure.code : null;
      log.warn({ step, code }, 'Not everything of the desktop could be reset');
    }
  }

  await attempt('start at login', () => behaviour.change({ startAtLogin: false }));
  // `newestFeed` is kept: it contains no personal data and prevents an older list of updates from being accepted.
  await attempt('settings', () => {
    settings.reset({ newestFeed: settings.get('newestFeed') });
    return settings.writing();
  });
  await attempt('pages', clearPages);
  for (const folder of folders) await attempt('folders', () => rm(folder, { recursive: true, force: true }));
  const dataKey = (await (await vault)?.renew()) ?? null;
  return dataKey === null ? null : dataKey.toString('base64');
}
