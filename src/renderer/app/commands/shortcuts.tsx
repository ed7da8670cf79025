import type { ReactElement } from 'react';
import { desktopHost } from '#renderer/api/desktop-host.ts';
import { uiStore } from '#renderer/stores/ui/index.ts';
import { Dialog, KeyHint } from '#renderer/ui/index.ts';
import { stopWords } from '../emergency-stop.ts';
import styles from './palette.module.css';

/** True where the command key does what Ctrl does elsewhere. */
export const isApple = /Mac|iPhone|iPad/u.test(navigator.userAgent);

/** The name of the command key on this machine. */
export const commandKey = isApple ? '⌘' : 'Ctrl';

/** Every shortcut with what it does, for the dialog that lists them. */
const shortcuts = (): { title: string; keys: { keys: string[]; does: string }[] }[] => [
  {
    title: 'Everywhere',
    keys: [
      { keys: [commandKey, 'K'], does: 'Search and commands' },
      { keys: ['/'], does: 'Search campaigns' },
      { keys: ['1'], does: 'Campaigns' },
      { keys: ['2'], does: 'Proposals' },
      { keys: ['3'], does: 'Ledger' },
      { keys: ['4'], does: 'Agents' },
      { keys: ['5'], does: 'Reports' },
      { keys: [commandKey, 'Z'], does: 'Undo the last change of drafts' },
      { keys: [commandKey, '⇧', 'Z'], does: 'Redo it' },
      { keys: [commandKey, '⇧', 'F'], does: stopWords() },
      ...(desktopHost ? [{ keys: [commandKey, ','], does: 'Settings' }] : []),
      { keys: ['?'], does: 'Keyboard shortcuts' },
      ...(desktopHost && !isApple ? [{ keys: ['Alt'], does: 'Menu bar' }] : []),
    ],
  },
  {
    title: 'Campaigns',
    keys: [
      { keys: ['J', '↓'], does: 'Next row' },
      { keys: ['K', '↑'], does: 'Previous row' },
      { keys: ['Enter'], does: 'Open the campaign' },
      { keys: ['E'], does: 'Open and edit the campaign' },
      { keys: ['X', 'Space'], does: 'Select the row' },
      { keys: ['⇧', '↓'], does: 'Extend the selection' },
      { keys: [commandKey, 'A'], does: 'Select all loaded rows' },
      { keys: ['Esc'], does: 'Close the panel, then clear the selection' },
    ],
  },
  {
    title: 'Reports',
    keys: [
      { keys: ['J', '↓'], does: 'Next row' },
      { keys: ['K', '↑'], does: 'Previous row' },
      { keys: ['→', '←'], does: 'Expand or collapse a level' },
      { keys: ['Enter'], does: 'Look into the row' },
      { keys: ['O'], does: 'Show only this value' },
      { keys: ['E'], does: 'Exclude or include the value' },
      { keys: ['X', 'Space'], does: 'Select the row' },
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
      { keys: ['J', '↓'], does: 'Next proposal' },
      { keys: ['K', '↑'], does: 'Previous proposal' },
      { keys: ['Enter'], does: 'Open the proposal' },
      { keys: ['Esc'], does: 'Close the proposal' },
    ],
  },
  {
    title: 'Editing',
    keys: [{ keys: [commandKey, 'Enter'], does: 'Review the change' }],
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
