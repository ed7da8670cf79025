import { panicStore } from '#renderer/stores/agents/index.ts';
import { uiStore } from '#renderer/stores/ui/index.ts';
import { useEffect } from 'react';
import { isApple } from './platform.ts';

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, [contenteditable]')
  );
}

function press(event: KeyboardEvent): boolean {
  const { overlay, route, show, navigate, requestFocus } = uiStore.getState();
  const commanded = isApple ? event.metaKey : event.ctrlKey;
  // Whatever is open and wherever the person types: this is the safe side.
  if (commanded && event.shiftKey && event.key.toLowerCase() === 'f') {
    // A key that is held is one press.
    if (!event.repeat) void panicStore.getState().start();
    return true;
  }
  if (commanded && event.key.toLowerCase() === 'k') {
    show(overlay === 'palette' ? null : 'palette');
    return true;
  }
  if (overlay !== null || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey)
    return false;
  switch (event.key) {
    case '?':
      show('shortcuts');
      return true;
    case '/':
      if (route.page !== 'campaigns') navigate({ page: 'campaigns', cid: null });
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
    default:
      return false;
  }
}

/** The shortcuts that hold on every page. Keys of the table live with the table. */
export function useShortcuts(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (press(event)) event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
