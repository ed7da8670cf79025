import { BrowserWindow, dialog, type MessageBoxOptions } from 'electron';
import { createLinkGuard, type Links, type LinksOptions } from './link-guard.ts';

/** Links with a native dialog that names the whole address; Cancel is where Enter and Esc lead. */
export function createLinks({ open }: Pick<LinksOptions, 'open'>): Links {
  return createLinkGuard({
    open,
    async ask({ address, host }) {
      const question: MessageBoxOptions = {
        type: 'question',
        message: `Open ${host} in your browser?`,
        detail: `${address}\n\nThis page is not part of Countersign.`,
        buttons: ['Cancel', 'Open in browser'],
        defaultId: 0,
        cancelId: 0,
        noLink: true,
      };
      const parent = BrowserWindow.getFocusedWindow();
      const { response } = await (parent
        ? dialog.showMessageBox(parent, question)
        : dialog.showMessageBox(question));
      return response === 1;
    },
  });
}
