import { uiStore } from '#renderer/stores/ui/index.ts';
import { isTyping, modalIsOpen } from '#renderer/ui/index.ts';
import { useEffect } from 'react';

export interface ListKeysOptions {
  /** The proposals that have a line of their own, from top to bottom. */
  ids: readonly string[];
  selectedId: string | null;
  onOpen: () => void;
}

const letters: Partial<Record<string, number>> = { j: 1, k: -1 };
const arrows: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The list and an empty focus; elsewhere arrows scroll, and Enter presses what has the focus. */
const inList = (): boolean => {
  const { activeElement } = document;
  return activeElement === document.body || activeElement?.id.startsWith('proposal-') === true;
};

function choose(id: string | null): void {
  uiStore.getState().navigate({ page: 'proposals', id });
}

/** Does what a key means on the page of proposals. True when it meant something. */
function press({ key }: KeyboardEvent, { ids, selectedId, onOpen }: ListKeysOptions): boolean {
  const step = letters[key] ?? (inList() ? arrows[key] : undefined);
  if (step !== undefined) {
    const at = selectedId === null ? -1 : ids.indexOf(selectedId);
    const id = ids[Math.max(0, Math.min(ids.length - 1, at + step))];
    if (id === undefined) return false;
    choose(id);
    document.getElementById(`proposal-${id}`)?.focus();
    return true;
  }
  if (key === 'Enter' && inList()) {
    const id = document.activeElement?.id.replace(/^proposal-/u, '') || selectedId;
    if (id === null) return false;
    choose(id);
    onOpen();
    return true;
  }
  if (key !== 'Escape') return false;
  choose(null);
  document.getElementById(`proposal-${selectedId}`)?.focus();
  return true;
}

/** Keys of the list wherever the focus is on its page: j, k and the arrows choose, Enter opens, Escape closes. */
export function useListKeys(options: ListKeysOptions): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (modalIsOpen() || isTyping(event.target)) return;
      if (press(event, options)) event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  });
}
