import type { Handle, SelectionActions } from './campaigns-state.ts';
import { indexOfCampaign, loadedRows, rowAt } from './paged-list.ts';
import { extendTo, noSelection, selectAll, toggle } from './selection.ts';

/** Moves the cursor and changes the selection; rows that were not read can be neither. */
export function selectionActions({ get, set }: Handle): SelectionActions {
  const cidAt = (index: number): number | undefined => {
    const { list } = get();
    return list ? rowAt(list, index)?.cid : undefined;
  };

  function moveCursor(index: number): void {
    const total = get().list?.total ?? 0;
    set({ cursor: Math.max(0, Math.min(total - 1, index)) });
  }

  return {
    moveCursor,
    pointAt(cid) {
      const { list } = get();
      const index = list && indexOfCampaign(list, cid);
      if (index !== null) moveCursor(index);
    },
    toggleSelected(index) {
      const cid = cidAt(index);
      if (cid !== undefined) set({ selection: toggle(get().selection, cid, index), cursor: index });
    },
    extendSelection(index) {
      const { selection, cursor } = get();
      const anchored = selection.anchor === null ? { ...selection, anchor: cursor } : selection;
      set({ selection: extendTo(anchored, index, cidAt), cursor: index });
    },
    selectLoaded() {
      const { list, selection } = get();
      if (!list) return;
      const cids = loadedRows(list).map((row) => row.cid);
      set({ selection: selectAll(selection, cids) });
    },
    clearSelection: () => set({ selection: noSelection, proposing: null }),
  };
}
