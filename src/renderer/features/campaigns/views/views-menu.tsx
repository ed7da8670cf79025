import { type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import { listViewsStore } from '#renderer/stores/campaign-notes/list-views-store.ts';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { Menu, type MenuEntry } from '#renderer/ui/index.ts';
import type { ListView, SavedListView } from '#shared/app-api/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { SaveViewDialog, ViewsDialog } from './views-dialog.tsx';

/** Shows a saved filter, with its columns where it has some. */
function openView({ filter, conditions, columns }: ListView): void {
  campaignsStore.getState().applyView({ filter, conditions });
  if (columns !== null) uiStore.getState().arrangeColumns(columns);
}

function entryOf({ id, name, view }: SavedListView): MenuEntry {
  return {
    id: `view ${id}`,
    label: inertText(name),
    icon: view?.columns == null ? 'filter' : 'columns',
    disabled: view === null,
  };
}

/** Opens a saved filter or view, saves what is shown as one, and manages them. */
export function ViewsMenu(): ReactElement {
  const items = useStore(listViewsStore, (state) => state.items);
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null);

  function act(id: string): void {
    if (id === 'save' || id === 'manage') return setDialog(id);
    const found = items.find((one) => `view ${one.id}` === id);
    if (found?.view != null) openView(found.view);
  }

  return (
    <>
      <Menu
        label="Saved"
        icon="views"
        kind="quiet"
        name="Saved filters and views"
        entries={[
          ...items.map(entryOf),
          { id: 'save', label: 'Save this filter…', icon: 'plus' },
          { id: 'manage', label: 'Manage…', icon: 'edit', disabled: items.length === 0 },
        ]}
        onAction={act}
      />
      {dialog === 'save' && <SaveViewDialog onClose={() => setDialog(null)} />}
      {dialog === 'manage' && <ViewsDialog onClose={() => setDialog(null)} />}
    </>
  );
}
