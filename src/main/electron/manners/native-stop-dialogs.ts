import { dialog } from 'electron';
import type { EmergencyStopOptions } from './emergency-stop.ts';

/** The system's own dialogs around the emergency stop, which need no page. */
export const nativeStopDialogs: Pick<EmergencyStopOptions, 'mayThaw' | 'say' | 'tell'> = {
  async mayThaw() {
    const { response } = await dialog.showMessageBox({
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
  async say(words) {
    await dialog.showMessageBox({ type: 'info', message: 'Emergency stop', detail: words });
  },
  tell: ({ message, next }) => dialog.showErrorBox(message, next),
};
