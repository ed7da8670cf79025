import { dialog } from 'electron';
import type { Trouble, VaultDialogs, WayOn } from './vault-dialogs.ts';

const happened: Record<Trouble, string> = {
  refused:
    'This computer’s keychain did not open the key that Countersign keeps its secrets with. It may be locked, reset, or another user’s.',
  silent: 'This computer’s keychain does not answer. It may wait for its password in another window.',
  damaged: 'The file vault.key in the data folder cannot be read.',
};

const waysOn: readonly WayOn[] = ['again', 'session', 'quit'];

/** The vault's questions as native dialogs. Escape and closing choose what changes nothing. */
export function nativeVaultDialogs(): VaultDialogs {
  return {
    async askWayOn(trouble) {
      const { response } = await dialog.showMessageBox({
        type: 'warning',
        title: 'Countersign',
        message: 'The stored secrets cannot be opened',
        detail: `${happened[trouble]}\n\nNothing was lost or changed. You can go on without the stored secrets: sign-ins of this session are then forgotten when you quit, and the ledger signs with a new key.`,
        buttons: ['Try again', 'Go on for this session', 'Quit'],
        defaultId: 0,
        cancelId: 2,
        noLink: true,
      });
      return waysOn[response] ?? 'quit';
    },
    async askConsent() {
      const { response } = await dialog.showMessageBox({
        type: 'question',
        title: 'Countersign',
        message: 'Keep secrets on this computer without a keyring?',
        detail:
          'This system has no keyring, so the secrets would be protected by nothing but your user’s files: any program of yours that can read them can open them.\n\nWithout it, sign-ins are forgotten when you quit.',
        buttons: ['Forget them at quit', 'Keep secrets'],
        defaultId: 0,
        cancelId: 0,
        noLink: true,
      });
      return response === 1;
    },
  };
}
