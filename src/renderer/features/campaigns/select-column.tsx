import { campaignsStore, loadedRows } from '#renderer/stores/campaigns/index.ts';
import { Checkbox, type TableColumn } from '#renderer/ui/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { counted } from '#shared/lib/counted.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';

function SelectAll(): ReactElement {
  const { list, selection, selectLoaded, clearSelection } = useStore(campaignsStore);
  const loaded = list ? loadedRows(list) : [];
  const all = loaded.length > 0 && loaded.every((row) => selection.cids.has(row.cid));
  return (
    <Checkbox
      hideLabel
      label={`Select all ${counted(loaded.length, 'loaded campaign')}`}
      tabIndex={-1}
      checked={all}
      indeterminate={!all && selection.cids.size > 0}
      onChange={() => (all ? clearSelection() : selectLoaded())}
    />
  );
}

function SelectRow({ row, index }: { row: CampaignRow; index: number }): ReactElement {
  const selected = useStore(campaignsStore, (state) => state.selection.cids.has(row.cid));
  const { toggleSelected, extendSelection } = campaignsStore.getState();
  return (
    <Checkbox
      hideLabel
      label={`Select campaign ${row.cid}`}
      tabIndex={-1}
      checked={selected}
      onChange={(_, event) => (event.shiftKey ? extendSelection(index) : toggleSelected(index))}
    />
  );
}

/** The first column: a box in each row, and one for all rows that were loaded. */
export const selectColumn: TableColumn<CampaignRow> = {
  key: 'select',
  title: 'Selected',
  head: <SelectAll />,
  width: 36,
  sticky: true,
  render: (row, index) => <SelectRow row={row} index={index} />,
  placeholder: null,
};
