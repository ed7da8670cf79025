import { appBridge } from '#renderer/api/app-bridge.ts';
import type { AppInput, AppOutput } from '#shared/app-api/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CampaignRow } from '#shared/contract/index.ts';
import { type CellEdit, type CellField, isCellField } from '#shared/drafts/index.ts';
import { campaignsStore } from './campaigns-store.ts';
import { rowAt } from './paged-list.ts';

export { copyText } from '#renderer/api/host-services.ts';

export interface GridCell {
  cid: number;
  field: CellField;
}

/** A cell with an open editor. A text of null stands for its value, which is not read yet. */
export interface EditedGridCell extends GridCell {
  text: string | null;
  /** The text that leaves the cell unchanged. Null until the editor has read it. */
  initial: string | null;
  fault: string | null;
}

export interface EnteredText {
  text: string;
  fault: string | null;
}

export interface PastedCell {
  cid: number;
  name: string;
  text: string;
  edit: CellEdit;
}

export interface PasteFault {
  /** Empty if there is no row for the value. Untrusted text. */
  name: string;
  text: string;
  message: string;
}

export interface PastedColumn {
  field: CellField;
  title: string;
  fits: readonly PastedCell[];
  faults: readonly PasteFault[];
}

export interface GridState {
  columns: readonly { key: string; title: string }[];
  /** The column of the active cell; its row is under the cursor. Null while complete rows are active. */
  column: string | null;
  lastColumn: string | null;
  /** True if the selection is a range of cells, which the next plain click or arrow ends. */
  isRange: boolean;
  editing: EditedGridCell | null;
  entered: ReadonlyMap<string, EnteredText>;
  /** A pasted column that waits for an answer, because some of its values do not fit. */
  pasted: PastedColumn | null;
  menu: { cid: number; x: number; y: number } | null;
  notice: string | null;
  activate: (column: string | null) => void;
  edit: (cell: EditedGridCell) => void;
  type: (text: string) => void;
  refuse: (fault: string) => void;
  endEdit: () => void;
  enter: (cells: readonly GridCell[], entered: EnteredText | null) => void;
  set: (change: Partial<Pick<GridState, 'columns' | 'pasted' | 'menu' | 'notice' | 'isRange'>>) => void;
  /** Drops all texts, because another profile may use the same ids for other campaigns. */
  forget: () => void;
}

export const cellKey = ({ cid, field }: GridCell): string => `${cid} ${field}`;

const nothingEntered = { editing: null, entered: new Map<string, EnteredText>(), pasted: null, menu: null };

function createGridStore(): StoreApi<GridState> {
  return createStore<GridState>((set, get) => ({
    ...nothingEntered,
    columns: [],
    column: null,
    lastColumn: null,
    isRange: false,
    notice: null,
    activate: (column) => set({ column, lastColumn: column ?? get().lastColumn }),
    edit: (editing) => set({ editing }),
    type(text) {
      const { editing } = get();
      if (editing !== null) set({ editing: { ...editing, text, fault: null } });
    },
    refuse(fault) {
      const { editing } = get();
      if (editing !== null) set({ editing: { ...editing, fault } });
    },
    endEdit: () => set({ editing: null }),
    enter(cells, text) {
      const entered = new Map(get().entered);
      for (const cell of cells) {
        if (text === null) entered.delete(cellKey(cell));
        else entered.set(cellKey(cell), text);
      }
      set({ entered });
    },
    set,
    forget: () => set(nothingEntered),
  }));
}

export function hasUnsavedCells({ editing, entered }: Pick<GridState, 'editing' | 'entered'>): boolean {
  return (editing !== null && editing.text !== editing.initial) || entered.size > 0;
}

export const gridStore = createGridStore();

export const editCells = (input: AppInput<'drafts.edit'>): Promise<AppOutput<'drafts.edit'>> =>
  appBridge.call('drafts.edit', input);

/** The row under the cursor. Undefined while it is not loaded. */
export function cursorRow(): CampaignRow | undefined {
  const { list, cursor } = campaignsStore.getState();
  return list === null ? undefined : rowAt(list, cursor);
}

/** Opens the editor of the active cell. `text` replaces its value. */
export function startEdit(text: string | null = null): boolean {
  const { column, edit } = gridStore.getState();
  const row = cursorRow();
  if (column === null || !isCellField(column) || row === undefined) return false;
  edit({ cid: row.cid, field: column, text, initial: null, fault: null });
  return true;
}
