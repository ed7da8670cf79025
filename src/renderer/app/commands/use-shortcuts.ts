import { useEffect } from 'react';
import { desktopHost } from '#renderer/api/desktop-host.ts';
import { isTraining } from '#renderer/api/place.ts';
import { draftsStore } from '#renderer/stores/drafts/index.ts';
import { uiStore } from '#renderer/stores/ui/index.ts';
import { isTyping, modalIsOpen, panelCoversMain } from '#renderer/ui/index.ts';
import type { MenuCommand } from '#shared/host-api/index.ts';
import { emergencyStop } from '../emergency-stop.ts';
import { doMenuCommand } from './menu-command.ts';
import { isApple } from './shortcuts.tsx';

/**
 * Keys of the desktop's menu. The page handles them first and at once: through the menu they would arrive
 * after the keys that follow.
 */
const menuKeys: Partial<Record<string, MenuCommand>> = {
  '1': 'go.campaigns',
  '2': 'go.proposals',
  '3': 'go.ledger',
  '4': 'go.agents',
  '5': 'go.reports',
  f: 'search',
  '/': 'shortcuts',
  // Training has no settings: there the menu takes the key, and leads to those of the app.
  ...(isTraining() ? {} : { ',': 'go.settings' as const }),
};

const isCommanded = (event: KeyboardEvent): boolean => (isApple ? event.metaKey : event.ctrlKey);

/** Works with any dialog open and while typing: stopping is the safe side. */
function pressStop(event: KeyboardEvent): boolean {
  if (!isCommanded(event) || !event.shiftKey || event.key.toLowerCase() !== 'f') return false;
  // A key that is held is one press.
  if (!event.repeat) emergencyStop();
  return true;
}

function press(event: KeyboardEvent): boolean {
  const { overlay, route, show, navigate, requestFocus } = uiStore.getState();
  const commanded = isCommanded(event);
  if (pressStop(event)) return true;
  if (commanded && event.key.toLowerCase() === 'k') {
    if (!event.repeat) show(overlay === 'palette' ? null : 'palette');
    return true;
  }
  // A text field takes back its own typing.
  if (
    commanded &&
    !event.altKey &&
    event.key.toLowerCase() === 'z' &&
    !isTyping(event.target) &&
    !modalIsOpen()
  ) {
    const { history, undo, redo } = draftsStore.getState();
    if (event.shiftKey && history.redo !== null) void redo();
    if (!event.shiftKey && history.undo !== null) void undo();
    return true;
  }
  const menuCommand = desktopHost && commanded && !event.altKey ? menuKeys[event.key] : undefined;
  if (menuCommand !== undefined) {
    doMenuCommand(menuCommand, uiStore.getState());
    return true;
  }
  if (modalIsOpen() || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return false;
  switch (event.key) {
    case '?':
      show('shortcuts');
      return true;
    case '/':
      if (route.page !== 'campaigns' || panelCoversMain()) navigate({ page: 'campaigns', cid: null });
      requestFocus('search');
      return true;
    case '1':
      navigate({ page: 'campaigns', cid: null });
      return true;
    case '2':
      navigate({ page: 'proposals', id: null });
      return true;
    case '3':
      navigate({ page: 'ledger' });
      return true;
    case '4':
      navigate({ page: 'agents' });
      return true;
    case '5':
      navigate({ page: 'reports', parameters: '' });
      return true;
    default:
      return false;
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

/** The key of the emergency stop, on pages that have no other shortcut. */
export function useStopKey(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (pressStop(event)) event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

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
