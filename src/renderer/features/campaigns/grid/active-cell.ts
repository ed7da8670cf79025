import { type KeyboardEvent, type MouseEvent, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { cursorRow, gridStore, startEdit } from '#renderer/stores/campaigns/grid-store.ts';
import { rowAt } from '#renderer/stores/campaigns/paged-list.ts';
import { placeOfCell, shortcutOf, type TablePlace, type VirtualTable } from '#renderer/ui/index.ts';
import { type CellField, isCellField } from '#shared/drafts/index.ts';
import { loadChanges, loadEditor } from '../columns.tsx';

type TableEvents = Pick<
  Parameters<typeof VirtualTable>[0],
  'onCellDoubleClick' | 'onCellPointerDown' | 'onCellPointerMove' | 'onCellContextMenu' | 'onPaste'
>;

/** The first characters of a value. Other letters must stay shortcuts of the list. */
const starts: Readonly<Record<CellField, RegExp>> = {
  name: /^\S$/u,
  status: /^\p{L}$/u,
  payout: /^[\d.,+\-−$]$/u,
  d_revenue: /^[\d.,+\-−$]$/u,
  t_revenue: /^[\d.,+\-−$]$/u,
  create: /^[\p{L}\d+\-−]$/u,
  expire: /^[\p{L}\d+\-−]$/u,
};

function activate(column: string | null): void {
  gridStore.getState().activate(column);
  if (column !== null) void loadEditor();
}

function step(from: string | null, by: 1 | -1): string | null {
  const { columns, lastColumn } = gridStore.getState();
  const keys = columns.map(({ key }) => key);
  if (from === null) return lastColumn !== null && keys.includes(lastColumn) ? lastColumn : 'name';
  return keys[keys.indexOf(from) + by] ?? from;
}

/** Keys typed while the editor is being loaded belong to its text. */
export function pressEarlyKey(event: KeyboardEvent): boolean {
  const { editing, type, endEdit } = gridStore.getState();
  if (editing === null || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key === 'Escape') endEdit();
  else if (event.key === 'Backspace') type((editing.text ?? '').slice(0, -1));
  else if (event.key.length === 1) type((editing.text ?? '') + event.key);
  else return false;
  return true;
}

export function pressCellKey(event: KeyboardEvent): boolean {
  const { column } = gridStore.getState();
  const command = shortcutOf(event, ['copyCells', 'fillDown']);
  if (command === 'copyCells' && getSelection()?.isCollapsed !== false) {
    void loadChanges().then(({ copySelection }) => copySelection());
    return true;
  }
  if (command === 'fillDown' && column !== null) {
    void loadChanges().then(({ fillDown }) => fillDown());
    return true;
  }
  if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) return openMenuAtCursor();
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  switch (event.key) {
    case 'ArrowRight':
    case 'ArrowLeft':
      activate(step(column, event.key === 'ArrowRight' ? 1 : -1));
      return true;
    case 'F2':
      if (column === null) activate(step(null, 1));
      return startEdit();
    case 'ArrowDown':
    case 'ArrowUp':
      if (column !== null) moveRange(event.shiftKey);
      return false;
    default:
      return column !== null && pressInCell(event, column);
  }
}

function pressInCell({ key, shiftKey }: KeyboardEvent, column: string): boolean {
  if (key === 'Escape') {
    activate(null);
    return true;
  }
  if (!isCellField(column)) return false;
  if (key === 'Enter') return !shiftKey && startEdit();
  if (key === 'Delete' || key === 'Backspace') return startEdit('');
  return starts[column].test(key) && startEdit(key);
}

/** A plain move ends a range of cells, but must keep a selection of rows made by checkboxes. */
function moveRange(isExtending: boolean): void {
  const { isRange, set } = gridStore.getState();
  if (isExtending) set({ isRange: true });
  else if (isRange) {
    campaignsStore.getState().clearSelection();
    set({ isRange: false });
  }
}

function openMenuAtCursor(): boolean {
  const row = cursorRow();
  const id = document.activeElement?.getAttribute('aria-activedescendant');
  const place = (id == null ? null : document.getElementById(id))?.getBoundingClientRect();
  if (row === undefined || place === undefined) return false;
  const { column, set } = gridStore.getState();
  // A row is as wide as the table, so its menu opens at its name.
  set({ menu: { cid: row.cid, x: place.left + (column === null ? 120 : 0), y: place.bottom } });
  return true;
}

/** Makes the clicked cell active. Returns false for a cell that opens its campaign. */
export function clickCell(index: number, { target, shiftKey, ctrlKey, metaKey }: MouseEvent): boolean {
  const place = valueAt(target);
  const isCell = place !== null;
  const isPlain = !shiftKey && !ctrlKey && !metaKey;
  if (isCell) activate(place.column);
  else if (isPlain) activate(null);
  if (isCell && isPlain) {
    moveRange(false);
    campaignsStore.getState().leaveRange();
  } else if (isCell && shiftKey) gridStore.getState().set({ isRange: true });
  return isCell && index >= 0;
}

export function useCellEvents(
  columns: readonly { key: string; title: string }[],
): TableEvents & { activeColumn: string | null } {
  const activeColumn = useStore(gridStore, ({ column }) => column);
  useEffect(() => {
    gridStore.getState().set({ columns: columns.filter(({ key }) => key !== 'select') });
    // A column that was hidden or is of another view cannot be active.
    if (activeColumn !== null && !columns.some(({ key }) => key === activeColumn)) activate(null);
  }, [columns, activeColumn]);
  const [events] = useState(createCellEvents);
  return { activeColumn, ...events };
}

const placeOf = (target: EventTarget | null) =>
  placeOfCell(target, [{ key: 'select' }, ...gridStore.getState().columns]);

/** The place of a cell that a click makes active. Null for the name and read-only cells, which open their campaign. */
function valueAt(target: EventTarget | null): TablePlace | null {
  const place = placeOf(target);
  return place !== null && isCellField(place.column) && place.column !== 'name' ? place : null;
}

function createCellEvents(): TableEvents {
  let pressed: TablePlace | null = null;
  return {
    onCellDoubleClick({ target }) {
      const place = placeOf(target);
      if (place === null || !isCellField(place.column)) return;
      campaignsStore.getState().moveCursor(place.index);
      activate(place.column);
      startEdit();
    },
    onCellPointerDown({ target, button, shiftKey, ctrlKey, metaKey }) {
      pressed = button === 0 && !shiftKey && !ctrlKey && !metaKey ? valueAt(target) : null;
      if (pressed !== null) moveRange(false);
    },
    onCellPointerMove({ target, buttons }) {
      const from = pressed;
      const place = buttons === 1 && from !== null ? placeOf(target) : null;
      if (from === null || place === null) return;
      const { cursor, moveCursor, extendSelection, clearSelection } = campaignsStore.getState();
      const { isRange, set } = gridStore.getState();
      if (place.index === (isRange ? cursor : from.index)) return;
      if (!isRange) {
        clearSelection();
        moveCursor(from.index);
        activate(from.column);
        set({ isRange: true });
      }
      extendSelection(place.index);
    },
    onCellContextMenu(event) {
      const place = placeOf(event.target);
      const { list, moveCursor } = campaignsStore.getState();
      const row = place === null || list === null ? undefined : rowAt(list, place.index);
      if (place === null || row === undefined) return;
      event.preventDefault();
      moveCursor(place.index);
      activate(isCellField(place.column) ? place.column : null);
      gridStore.getState().set({ menu: { cid: row.cid, x: event.clientX, y: event.clientY } });
    },
    onPaste(event) {
      const { column } = gridStore.getState();
      if (event.target !== event.currentTarget || column === null || !isCellField(column)) return;
      event.preventDefault();
      const text = event.clipboardData.getData('text');
      void loadChanges().then(({ pasteColumn }) => pasteColumn(column, text));
    },
  };
}
