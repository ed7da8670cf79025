import { useEffect } from 'react';
import { desktopHost } from '#renderer/api/desktop-host.ts';
import { isTraining } from '#renderer/api/place.ts';
import { draftsStore } from '#renderer/stores/drafts/drafts-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { isTyping, modalIsOpen, panelCoversMain, shortcutOf } from '#renderer/ui/index.ts';
import type { MenuCommand } from '#shared/host-api/index.ts';
import { sections } from '../sections.ts';
import { doMenuCommand } from './menu-command.ts';

/**
 * Shortcuts of the desktop's menu. The page handles them first and at once: through the menu they would arrive
 * after the keys that follow.
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
  // Training has no settings: there the menu takes the key, and leads to those of the app.
  (name) => !(name === 'menuSettings' && isTraining()),
);

/** Does what a shortcut means with any dialog open, and while a person types. True when it meant something. */
function pressAnywhere(event: KeyboardEvent): boolean {
  const { overlay, show } = uiStore.getState();
  if (shortcutOf(event, ['palette']) !== null) {
    if (!event.repeat) show(overlay === 'palette' ? null : 'palette');
    return true;
  }
  const drafts = shortcutOf(event, ['undo', 'redo']);
  // A text field takes back its own typing.
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

/** Keeps a key away from the page while the focus waits for an element that is not there yet; Escape and commands pass. */
function swallow(event: KeyboardEvent): void {
  if (uiStore.getState().wantedFocus === null || event.key.length > 1) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** A press elsewhere takes the focus there. */
const giveUp = (): void => uiStore.getState().focusTaken();

/** The shortcuts that hold on every page. Keys of the table live with the table. */
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
