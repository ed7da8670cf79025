import { clipboard, dialog } from 'electron';
import { versionLines } from './about.ts';
import { versionsNow } from './versions.ts';

/** The about box: what runs, to read and to copy. */
export async function showAbout(): Promise<void> {
  const [name = '', ...parts] = versionLines(versionsNow());
  const { response } = await dialog.showMessageBox({
    type: 'info',
    title: 'About Countersign',
    message: name,
    detail: parts.join('\n'),
    buttons: ['Close', 'Copy'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  if (response === 1) await clipboard.writeText([name, ...parts].join('\n'));
}
