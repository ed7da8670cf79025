import { campaignsStore } from '#renderer/stores/campaigns/index.ts';
import { uiStore } from '#renderer/stores/ui/index.ts';
import { Menu, SearchField, type MenuEntry } from '#renderer/ui/index.ts';
import { statusCodes, statusNames } from '#shared/contract/index.ts';
import { useEffect, useRef, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { campaignColumns } from './columns.tsx';
import { useDelayedQuery } from './use-delayed-query.ts';

const anyStatus = 'any';
const statusEntries: MenuEntry[] = [
  { id: anyStatus, label: 'Any status' },
  ...statusCodes.map((code) => ({ id: String(code), label: statusNames[code] })),
];

const columnEntries: MenuEntry[] = campaignColumns.map(({ key, title }) => ({
  id: key,
  label: title,
  disabled: key === 'name',
}));

function toggled<Item>(items: readonly Item[], item: Item): Item[] {
  return items.includes(item) ? items.filter((other) => other !== item) : [...items, item];
}

/** Search, status, types and columns. */
export function Filters(): ReactElement {
  const { filter, types, setFilter } = useStore(campaignsStore);
  const { hiddenColumns, toggleColumn, wantedFocus, focusTaken } = useStore(uiStore);
  const [query, setQuery] = useDelayedQuery(filter.query, (text) => setFilter({ query: text }));
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (wantedFocus !== 'search') return;
    search.current?.select();
    focusTaken();
  }, [wantedFocus, focusTaken]);

  const chosenStatus = statusEntries.find(({ id }) => id === String(filter.status ?? anyStatus));
  const typeNames = types.filter(({ code }) => filter.types.includes(code)).map(({ name }) => name);
  return (
    <>
      <SearchField
        ref={search}
        label="Search campaigns by name or ID"
        placeholder="Name or ID"
        value={query}
        onChange={setQuery}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      <Menu
        label={filter.status === null ? 'Status' : (chosenStatus?.label ?? 'Status')}
        name="Filter by status"
        entries={statusEntries}
        selection={{ mode: 'single', ids: [String(filter.status ?? anyStatus)] }}
        onAction={(id) => setFilter({ status: id === anyStatus ? null : Number(id) })}
      />
      <Menu
        label={
          typeNames.length === 0
            ? 'Type'
            : (typeNames.length === 1 && typeNames[0]) || `${typeNames.length} types`
        }
        name="Filter by type"
        entries={types.map(({ code, name }) => ({ id: String(code), label: name }))}
        selection={{ mode: 'multiple', ids: filter.types.map(String) }}
        onAction={(id) => setFilter({ types: toggled(filter.types, Number(id)) })}
      />
      <Menu
        label="Columns"
        icon="columns"
        kind="quiet"
        name="Show and hide columns"
        entries={columnEntries}
        selection={{
          mode: 'multiple',
          ids: columnEntries.map(({ id }) => id).filter((id) => !hiddenColumns.includes(id)),
        }}
        onAction={toggleColumn}
      />
    </>
  );
}
