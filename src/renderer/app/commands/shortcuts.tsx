import type { ReactElement } from 'react';
import { desktopHost } from '#renderer/api/desktop-host.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { Dialog, isApple, KeyHint, keysOf } from '#renderer/ui/index.ts';
import { stopWords } from '../emergency-stop.ts';
import { sections } from '../sections.ts';
import styles from './palette.module.css';

/** Every shortcut with what it does, for the dialog that lists them. */
const shortcuts = (): { title: string; keys: { keys: string[]; does: string }[] }[] => [
  {
    title: 'Everywhere',
    keys: [
      { keys: keysOf('palette'), does: 'Search and commands' },
      { keys: keysOf('search'), does: 'Search campaigns' },
      ...sections.map(({ name, label }) => ({ keys: keysOf(name), does: label })),
      { keys: keysOf('undo'), does: 'Undo the last draft change' },
      { keys: keysOf('redo'), does: 'Redo' },
      { keys: keysOf('emergencyStop'), does: stopWords() },
      ...(desktopHost ? [{ keys: keysOf('menuSettings'), does: 'Settings' }] : []),
      { keys: keysOf('shortcutList'), does: 'Keyboard shortcuts' },
      ...(desktopHost && !isApple ? [{ keys: ['Alt'], does: 'Menu bar' }] : []),
    ],
  },
  {
    title: 'Campaigns',
    keys: [
      { keys: [...keysOf('nextRow'), '↓'], does: 'Next row' },
      { keys: [...keysOf('previousRow'), '↑'], does: 'Previous row' },
      { keys: ['Enter'], does: 'Open the campaign' },
      { keys: keysOf('editRow'), does: 'Open and edit the campaign' },
      { keys: [...keysOf('selectRow'), 'Space'], does: 'Select the row' },
      { keys: ['⇧', '↓'], does: 'Extend the selection' },
      { keys: keysOf('selectAll'), does: 'Select all loaded rows' },
      { keys: ['Esc'], does: 'Close the panel, then clear the selection' },
    ],
  },
  {
    title: 'Reports',
    keys: [
      { keys: [...keysOf('nextRow'), '↓'], does: 'Next row' },
      { keys: [...keysOf('previousRow'), '↑'], does: 'Previous row' },
      { keys: ['→', '←'], does: 'Expand or collapse a level' },
      { keys: ['Enter'], does: 'Show details' },
      { keys: keysOf('onlyValue'), does: 'Show only this value' },
      { keys: keysOf('excludeValue'), does: 'Exclude or include the value' },
      { keys: [...keysOf('selectRow'), 'Space'], does: 'Select the row' },
      { keys: ['Esc'], does: 'Close the panel, then clear the selection' },
    ],
  },
  {
    title: 'Search field',
    keys: [
      { keys: ['↓'], does: 'Go to the list' },
      { keys: ['Enter'], does: 'Open the first campaign' },
    ],
  },
  {
    title: 'Column header',
    keys: [
      { keys: ['←', '→'], does: 'Previous or next column' },
      { keys: ['Enter'], does: 'Sort, or reverse the order' },
    ],
  },
  {
    title: 'Column edge',
    keys: [
      { keys: ['←', '→'], does: 'Change its width' },
      { keys: ['↑', '↓'], does: 'Previous or next column' },
      { keys: ['Enter'], does: 'Reset its width' },
    ],
  },
  {
    title: 'Proposals',
    keys: [
      { keys: [...keysOf('nextRow'), '↓'], does: 'Next proposal' },
      { keys: [...keysOf('previousRow'), '↑'], does: 'Previous proposal' },
      { keys: ['Enter'], does: 'Open the proposal' },
      { keys: ['Esc'], does: 'Close the proposal' },
    ],
  },
  {
    title: 'Editing',
    keys: [{ keys: [isApple ? '⌘' : 'Ctrl', 'Enter'], does: 'Review the change' }],
  },
];

/** All shortcuts, by place. */
export function ShortcutsDialog(): ReactElement {
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => uiStore.getState().show(null)}>
      <div className={styles.groups}>
        {shortcuts().map(({ title, keys }) => (
          <section key={title} aria-label={title}>
            <h3 className={styles.title}>{title}</h3>
            {keys.map((shortcut) => (
              <div key={shortcut.does} className={styles.row}>
                <span>{shortcut.does}</span>
                <KeyHint keys={shortcut.keys} />
              </div>
            ))}
          </section>
        ))}
      </div>
    </Dialog>
  );
}
