import { type ReactElement, useEffect } from 'react';
import { desktopHost } from '#renderer/api/desktop-host.ts';
import { isTraining } from '#renderer/api/bridge.ts';
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
import { sections, doMenuCommand } from '../sections.ts';
import styles from './palette.module.css';
import { draftsStore } from '#renderer/stores/drafts/drafts-store.ts';
import type { MenuCommand } from '#shared/host-api/index.ts';

const shortcuts = (): Record<string, [does: string, keys: string[]][]> => ({
  Everywhere: [
    ['Search and commands', keysOf('palette')],
    ['Search campaigns', keysOf('search')],
    ...sections.map(({ name, label }): [string, string[]] => [label, keysOf(name)]),
    ['Undo the last draft change', keysOf('undo')],
    ['Redo', keysOf('redo')],
    [stopWords(), keysOf('emergencyStop')],
    ...(desktopHost ? [['Settings', keysOf('menuSettings')] satisfies [string, string[]]] : []),
    ['Keyboard shortcuts', keysOf('shortcutList')],
    ...(desktopHost && !isApple ? [['Menu bar', ['Alt']] satisfies [string, string[]]] : []),
  ],
  Campaigns: [
    ['Next row', [...keysOf('nextRow'), '↓']],
    ['Previous row', [...keysOf('previousRow'), '↑']],
    ['Open the campaign', ['Enter']],
    ['Open and edit the campaign', keysOf('editRow')],
    ['Select the row', [...keysOf('selectRow'), 'Space']],
    ['Extend the selection', ['⇧', '↓']],
    ['Select all loaded rows', keysOf('selectAll')],
    ['Close the panel, then clear the selection', ['Esc']],
    ['Actions of the row', ['⇧', 'F10']],
    ['Copy the selected rows', keysOf('copyCells')],
  ],
  'Cells of campaigns': [
    ['Activate a cell', ['→', '←']],
    ['Edit', ['Enter', 'F2']],
    ['Store and move on', ['Enter', 'Tab']],
    ['Store and move back', ['⇧', 'Enter', 'Tab']],
    ['Change all selected', [isApple ? '⌘' : 'Ctrl', 'Enter']],
    ['Fill down', keysOf('fillDown')],
    ['Copy the values', keysOf('copyCells')],
    ['Give up, or back to the row', ['Esc']],
  ],
  Reports: [
    ['Next row', [...keysOf('nextRow'), '↓']],
    ['Previous row', [...keysOf('previousRow'), '↑']],
    ['Expand or collapse a level', ['→', '←']],
    ['Show details', ['Enter']],
    ['Show only this value', keysOf('onlyValue')],
    ['Exclude or include the value', keysOf('excludeValue')],
    ['Alert me about the row', keysOf('alertMe')],
    ['Actions of the row', ['⇧', 'F10']],
    ['Select the row', [...keysOf('selectRow'), 'Space']],
    ['Close the panel, then clear the selection', ['Esc']],
  ],
  'Search field': [
    ['Go to the list', ['↓']],
    ['Open the first campaign', ['Enter']],
  ],
  'Column header': [
    ['Previous or next column', ['←', '→']],
    ['Sort, or reverse the order', ['Enter']],
  ],
  'Column edge': [
    ['Change its width', ['←', '→']],
    ['Previous or next column', ['↑', '↓']],
    ['Reset its width', ['Enter']],
  ],
  Proposals: [
    ['Next proposal', [...keysOf('nextRow'), '↓']],
    ['Previous proposal', [...keysOf('previousRow'), '↑']],
    ['Open the proposal', ['Enter']],
    ['Close the proposal', ['Esc']],
  ],
  Editing: [['Review the change', [isApple ? '⌘' : 'Ctrl', 'Enter']]],
});

export function ShortcutsDialog(): ReactElement {
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => uiStore.getState().show(null)}>
      <div className={styles.groups}>
        {Object.entries(shortcuts()).map(([title, rows]) => (
          <section key={title} aria-label={title}>
            <h3 className={cx(common.quiet, styles.title)}>{title}</h3>
            {rows.map(([does, keys]) => (
              <div key={does} className={cx(common.row2, styles.row)}>
                <span>{does}</span>
                <KeyHint keys={keys} />
              </div>
            ))}
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/**
 * Shortcuts of menu items that the page handles itself, because the menu's command would arrive after the keys that are typed
 * next.
 */
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
  // Training has no settings, so its menu opens those of the app.
  (name) => !(name === 'menuSettings' && isTraining()),
);

function pressAnywhere(event: KeyboardEvent): boolean {
  const { overlay, show } = uiStore.getState();
  if (shortcutOf(event, ['palette']) !== null) {
    if (!event.repeat) show(overlay === 'palette' ? null : 'palette');
    return true;
  }
  const drafts = shortcutOf(event, ['undo', 'redo']);
  // In a text field the browser's own undo applies.
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

/**
 * Ignores plain keys while an element that should get the focus is not drawn yet. Otherwise they would act on the rest of the
 * page.
 */
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
