import { app as electronApp, BrowserWindow, dialog, type MessageBoxOptions } from 'electron';
import { join } from 'node:path';
import type { PagePlace } from '#shared/host-api/index.ts';
import type { SaverOptions } from '../ipc/saver.ts';
import type { VaultFailure, VaultDialogs, RecoveryChoice } from '../vault/open-vault.ts';
import type { LinksOptions } from '../windows/links.ts';
import type { EmergencyStopOptions } from './emergency-stop.ts';

export const nativeStopDialogs: Pick<EmergencyStopOptions, 'mayThaw' | 'showNotice' | 'showFailure'> = {
  async mayThaw() {
    const response = await showBox({
      type: 'question',
      message: 'Let agents work again?',
      detail: 'They may read and ask for changes as before. Each change still waits for you.',
      buttons: ['Keep them frozen', 'Let agents work again'],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    });
    return response === 1;
  },
  async showNotice(words) {
    await showBox({ type: 'info', message: 'Emergency stop', detail: words });
  },
  showFailure: ({ message, next }) => void showBox({ type: 'error', message, detail: next }),
};

const explanations: Record<VaultFailure, string> = {
  refused: 'This computer’s keychain did not open. It may be locked, reset, or another user’s.',
  silent: 'This computer’s keychain does not answer. It may be asking for its password in another window.',
  damaged: 'The file vault.key in the data folder cannot be read.',
  unwritable: 'The file vault.key cannot be written to the data folder. The disk may be full.',
};

const withoutStored =
  'Nothing was lost or changed. You can continue without the stored secrets: sign-ins of this session then end when you quit, and the ledger signs with a new key.';
const withoutVault =
  'Allow Countersign to use the keychain and try again. If you continue without it, sign-ins of this session end when you quit.';

const withoutRoom =
  'Make room on the disk and try again. If you continue without it, sign-ins of this session end when you quit.';

const recoveryChoices: readonly RecoveryChoice[] = ['again', 'session', 'quit'];

export function nativeVaultDialogs(): VaultDialogs {
  return {
    async askHowToContinue(trouble, isStored) {
      const withoutNew = trouble === 'unwritable' ? withoutRoom : withoutVault;
      const response = await showBox({
        type: 'warning',
        title: 'Countersign',
        message: isStored ? 'The stored secrets cannot be opened' : 'Secrets cannot be kept yet',
        detail: `${explanations[trouble]}\n\n${isStored ? withoutStored : withoutNew}`,
        buttons: ['Try again', 'Continue for this session', 'Quit'],
        defaultId: 0,
        cancelId: 2,
        noLink: true,
      });
      return recoveryChoices[response] ?? 'quit';
    },
    async askConsent() {
      const response = await showBox({
        type: 'question',
        title: 'Countersign',
        message: 'Keep secrets on this computer without a keyring?',
        detail:
          'This system has no keyring, so only file permissions would protect the secrets: any of your programs that reads the files can open them.\n\nOtherwise, sign-ins end when you quit.',
        buttons: ['Forget them at quit', 'Keep secrets'],
        defaultId: 0,
        cancelId: 0,
        noLink: true,
      });
      return response === 1;
    },
  };
}

export const askToOpenLink: LinksOptions['ask'] = async ({ address, host, client }) => {
  const isClient = client === true;
  const about = isClient
    ? `${host} then asks you to add Countersign.`
    : 'This page is not part of Countersign.';
  const response = await showBox(
    {
      type: 'question',
      message: isClient ? `Open ${host}?` : `Open ${host} in your browser?`,
      detail: `${address}\n\n${about}`,
      buttons: ['Cancel', isClient ? `Open ${host}` : 'Open in browser'],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    },
    BrowserWindow.getFocusedWindow(),
  );
  return response === 1;
};

const stagingFolder = (place: PagePlace): string =>
  join(electronApp.getPath('userData'), place === 'work' ? 'saves' : 'training-saves');

export const stagingFolders = (): string[] => [stagingFolder('work'), stagingFolder('training')];

/** Uses the system's save dialog. On macOS only the chosen path is writable, so unfinished files go to a staging folder. */
export function nativeSaveTarget(
  app: { browserWindow(): BrowserWindow | null },
  place: PagePlace,
): SaverOptions {
  return {
    async choosePath(suggestedName) {
      const options = { defaultPath: suggestedName };
      const window = app.browserWindow();
      const { canceled, filePath } = await (window === null
        ? dialog.showSaveDialog(options)
        : dialog.showSaveDialog(window, options));
      return canceled || filePath === '' ? null : filePath;
    },
    stagingFolder: process.platform === 'darwin' ? stagingFolder(place) : null,
  };
}

export async function showBox(
  options: MessageBoxOptions,
  wanted: BrowserWindow | null = null,
): Promise<number> {
  const parent = parentFor(process.platform, wanted, BrowserWindow.getAllWindows());
  const box = parent === null ? dialog.showMessageBox(options) : dialog.showMessageBox(parent, options);
  return (await box).response;
}

interface DialogParent {
  isVisible(): boolean;
  isMinimized(): boolean;
}

/** The window for a dialog, or null. On macOS a dialog without a window blocks the program; on a hidden window nobody can answer. */
export function parentFor<W extends DialogParent>(
  platform: NodeJS.Platform,
  wanted: W | null,
  all: readonly W[],
): W | null {
  if (platform !== 'darwin') return wanted;
  const candidates = wanted === null ? all : [wanted, ...all];
  return candidates.find((window) => window.isVisible() && !window.isMinimized()) ?? null;
}
