import { useEffect, useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { viewsStore } from '../stores/views-store.ts';
import { Menu } from '#renderer/ui/index.ts';
import type { ReportQuery } from '#shared/app-api/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { SaveViewDialog, ViewsDialog } from './views-dialog.tsx';

export interface ViewsMenuProps {
  /** The report that is shown, for a new view. */
  query: ReportQuery;
  onOpen: (query: ReportQuery) => void;
}

/** Opens a saved view, saves the report that is shown as one, and manages them. */
export function ViewsMenu({ query, onOpen }: ViewsMenuProps): ReactElement {
  const items = useStore(viewsStore, (state) => state.items) ?? [];
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null);
  useEffect(() => viewsStore.getState().start(), []);
  const shown = items.find((view) => view.query !== null && isSameQuery(view.query, query));

  function act(id: string): void {
    if (id === 'save' || id === 'manage') return setDialog(id);
    const view = items.find((one) => `view ${one.id}` === id);
    if (view?.query) onOpen(view.query);
  }

  return (
    <>
      <Menu
        label={shown ? inertText(shown.name) : 'Views'}
        name={shown ? `Views: ${inertText(shown.name)}` : 'Views'}
        icon="views"
        heading={items.length === 0 ? 'No saved views' : 'Saved views'}
        entries={[
          ...items.map(({ id, name, start, query: saved }) => ({
            id: `view ${id}`,
            label: `${inertText(name)}${start ? ' (opens first)' : ''}`,
            icon: start ? ('start' as const) : ('views' as const),
            disabled: saved === null,
          })),
          { id: 'save', label: 'Save view…', icon: 'plus' },
          { id: 'manage', label: 'Manage views…', icon: 'edit', disabled: items.length === 0 },
        ]}
        onAction={act}
      />
      {dialog === 'save' && <SaveViewDialog query={query} onClose={() => setDialog(null)} />}
      {dialog === 'manage' && <ViewsDialog query={query} onClose={() => setDialog(null)} />}
    </>
  );
}

/** The members of a query have one order wherever it is parsed. */
function isSameQuery(left: ReportQuery, right: ReportQuery): boolean {
  return JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => [key, sorted(member)]);
}
