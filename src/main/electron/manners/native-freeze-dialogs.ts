import { dialog } from 'electron';
import type { FreezingOptions } from './freezing.ts';

/** The system's own dialogs around the freeze, which need no page. */
export const nativeFreezeDialogs: Pick<FreezingOptions, 'mayThaw' | 'tell'> = {
  async mayThaw() {
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: 'Let agents work again?',
      detail: 'They may read and propose as before. Each change still waits for you.',
      buttons: ['Keep them frozen', 'Let agents work again'],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    });
    return response === 1;
  },
  tell: ({ message, next }) => dialog.showErrorBox(message, next),
};
