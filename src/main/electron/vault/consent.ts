import type { VaultView } from '#shared/host-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { writeKeyFile } from './key-file.ts';
import type { Opened, Vault, VaultOptions } from './vault.ts';
import { wrap } from './wrap.ts';

/** The open vault, which may yet be allowed to keep the key of this session. */
export function createConsent(options: VaultOptions, { dataKey, view: first }: Opened): Vault {
  const { cipher, folder, settings, dialogs, log, nowMs } = options;
  let view: VaultView = first;
  let asking: Promise<VaultView> | null = null;

  async function ask(): Promise<VaultView> {
    if (view.kind !== 'session' || view.reason !== 'weak' || !(await dialogs.askConsent())) return view;
    settings.set('weakVaultConsent', { agreedAtMs: nowMs() });
    try {
      writeKeyFile(folder, { wrapped: await wrap(cipher, dataKey), strength: 'weak' });
    } catch (cause) {
      throw new AppError('vault_unusable', { cause });
    }
    view = { kind: 'consented' };
    log.info({ vault: view }, 'A person agreed that a weak vault keeps secrets');
    return view;
  }

  return {
    dataKey,
    view: () => view,
    askConsent() {
      // A second press while the question stands is the same question.
      asking ??= ask().finally(() => {
        asking = null;
      });
      return asking;
    },
  };
}
