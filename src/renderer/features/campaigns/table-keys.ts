import { campaignsStore, rowAt } from '#renderer/stores/campaigns/index.ts';
import { uiStore } from '#renderer/stores/ui/index.ts';
import { movedCursor } from './moved-cursor.ts';

/** The part of a key press that the table looks at. */
export interface TableKey {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** Opens the campaign of a row in the panel. False for a row that was not read yet, which cannot be opened. */
export function openRow(index: number): boolean {
  const { list, moveCursor } = campaignsStore.getState();
  const row = list ? rowAt(list, index) : undefined;
  moveCursor(index);
  if (row) uiStore.getState().navigate({ page: 'campaigns', cid: row.cid });
  return row !== undefined;
}

/** Does what a key means in the table. True when it meant something. */
export function pressTableKey(event: TableKey, screenful: number): boolean {
  const { cursor, list, ...actions } = campaignsStore.getState();
  const { route, navigate, requestFocus } = uiStore.getState();
  const panelOpen = route.page === 'campaigns' && route.cid !== null;
  if (event.altKey) return false;
  if (event.ctrlKey || event.metaKey) {
    if (event.key !== 'a') return false;
    actions.selectLoaded();
    return true;
  }
  const target = movedCursor(event.key, cursor, { total: list?.total ?? 0, screenful });
  if (target !== null) {
    if (event.shiftKey) actions.extendSelection(target);
    else actions.moveCursor(target);
    if (panelOpen && !event.shiftKey) openRow(target);
    return true;
  }
  switch (event.key) {
    case 'Enter':
      openRow(cursor);
      return true;
    case ' ':
    case 'x':
      actions.toggleSelected(cursor);
      return true;
    case 'e':
      if (openRow(cursor)) requestFocus('editor');
      return true;
    case 'Escape':
      if (panelOpen) navigate({ page: 'campaigns', cid: null });
      else actions.clearSelection();
      return true;
    default:
      return false;
  }
}
