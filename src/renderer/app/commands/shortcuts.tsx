import { type ReactElement, useEffect } from 'react';
import { desktopHost } from '#renderer/api/desktop-host.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  Dialog,
  isApple,
  KeyHint,
  keysOf,
  isTyping,
  modalIsOpen,
  panelCoversMain,
  shortcutOf,
  cx,
  common,
} from '#renderer/ui/index.ts';
import { stopWords } from '../freeze.tsx';
import { sections } from '../sections.ts';
import styles from './palette.module.css';
import { isTraining } from '#renderer/api/place.ts';
import { draftsStore } from '#renderer/stores/drafts/drafts-store.ts';
import type { MenuCommand } from '#shared/host-api/index.ts';
import { doMenuCommand } from './menu-command.ts';

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

export function ShortcutsDialog(): ReactElement {
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => uiStore.getState().show(null)}>
      <div className={styles.groups}>
        {shortcuts().map(({ title, keys }) => (
          <section key={title} aria-label={title}>
            <h3 className={cx(common.quiet, styles.title)}>{title}</h3>
            {keys.map((shortcut) => (
              <div key={shortcut.does} className={cx(common.row2, styles.row)}>
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

/** The page handles these shortcuts itself: through the menu they would arrive after the keys that follow. */
const menuCommands = {
  menuCampaigns: 'go.campaigns',
  menuDrafts: 'go.drafts',
  menuProposals: 'go.proposals',
  menuReports: 'go.reports',
  menuSchedules: 'go.schedules',
  menuLedger: 'go.ledger',
  menuAgents: 'go.agents',
  menuSearch: 'search',
  menuShortcutList: 'shortcuts',
  menuSettings: 'go.settings',
} as const satisfies Record<string, MenuCommand>;

const menuShortcuts = (Object.keys(menuCommands) as (keyof typeof menuCommands)[]).filter(
  // Training has no settings: there the menu leads to those of the app.
  (name) => !(name === 'menuSettings' && isTraining()),
);

function pressAnywhere(event: KeyboardEvent): boolean {
  const { overlay, show } = uiStore.getState();
  if (shortcutOf(event, ['palette']) !== null) {
    if (!event.repeat) show(overlay === 'palette' ? null : 'palette');
    return true;
  }
  const drafts = shortcutOf(event, ['undo', 'redo']);
  // A text field undoes its own typing.
  if (drafts !== null && !isTyping(event.target) && !modalIsOpen()) {
    const { history, undo, redo } = draftsStore.getState();
    if (drafts === 'redo' && history.redo !== null) void redo();
    if (drafts === 'undo' && history.undo !== null) void undo();
    return true;
  }
  const menu = desktopHost ? shortcutOf(event, menuShortcuts) : null;
  if (menu === null) return false;
  doMenuCommand(menuCommands[menu], uiStore.getState());
  return true;
}

function press(event: KeyboardEvent): boolean {
  if (event.isComposing) return false;
  if (pressAnywhere(event)) return true;
  if (modalIsOpen() || isTyping(event.target)) return false;
  const { route, show, navigate, requestFocus } = uiStore.getState();
  const name = shortcutOf(event, ['shortcutList', 'search', ...sections.map((section) => section.name)]);
  switch (name) {
    case null:
      return false;
    case 'shortcutList':
      show('shortcuts');
      return true;
    case 'search':
      if (route.page !== 'campaigns' || panelCoversMain()) navigate({ page: 'campaigns', cid: null });
      requestFocus('search');
      return true;
    default: {
      const section = sections.find((one) => one.name === name);
      if (section) navigate(section.route);
      return true;
    }
  }
}

/** Keeps a key from the page while the focus waits for an element that is not drawn yet. */
function swallow(event: KeyboardEvent): void {
  if (uiStore.getState().wantedFocus === null || event.key.length > 1) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

const giveUp = (): void => uiStore.getState().focusTaken();

export function useShortcuts(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (press(event)) event.preventDefault();
    };
    window.addEventListener('keydown', swallow, { capture: true });
    window.addEventListener('keydown', listen);
    window.addEventListener('pointerdown', giveUp, { capture: true });
    return () => {
      window.removeEventListener('keydown', swallow, { capture: true });
      window.removeEventListener('keydown', listen);
      window.removeEventListener('pointerdown', giveUp, { capture: true });
    };
  }, []);
}
