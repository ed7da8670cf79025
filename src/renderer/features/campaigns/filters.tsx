import { lazy, type ReactElement, Suspense, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { defaultPreferences, type FocusPlace } from '#renderer/stores/ui/ui-store.ts';
import { listViewsStore } from './stores/list-stores.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  cx,
  common,
  useFormats,
  Button,
  Buttons,
  Checkbox,
  IconButton,
  Menu,
  type MenuEntry,
  SearchField,
  useDelayedText,
} from '#renderer/ui/index.ts';
import { OrderedChoice, PanelButton } from '#renderer/ui/report/index.ts';
import type { ListView, SavedListView } from '#shared/app-api/index.ts';
import { statusCodes, statusNames } from '#shared/contract/index.ts';
import { maxSearchText } from '#shared/find/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { arrangedColumns } from './columns.tsx';
import { AddFilter, applyTyped } from './find/condition-bar.tsx';
import { readIdList } from './find/condition-kinds.ts';
import { typedFilters } from './find/typed-filters.ts';
import styles from './campaigns.module.css';

const loadDialogs = () => import('./views-dialog.tsx');
const SaveViewDialog = lazy(async () => ({ default: (await loadDialogs()).SaveViewDialog }));
const ViewsDialog = lazy(async () => ({ default: (await loadDialogs()).ViewsDialog }));

const anyStatus = 'any';
const statusEntries: MenuEntry[] = [
  { id: anyStatus, label: 'Any status' },
  ...statusCodes.map((code) => ({ id: String(code), label: statusNames[code] })),
];

function toggled<Item>(items: readonly Item[], item: Item): Item[] {
  return items.includes(item) ? items.filter((other) => other !== item) : [...items, item];
}

const places: Partial<Record<string, FocusPlace>> = { ArrowDown: 'list', Enter: 'first-row' };

export function Filters(): ReactElement {
  const formats = useFormats();
  const { filter, types, conditions, setFilter, setConditions, refresh } = useStore(campaignsStore);
  const { wantedFocus, focusTaken } = useStore(uiStore);
  const [query, setQuery, settleNow] = useDelayedText(filter.query, (text) => setFilter({ query: text }));
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (wantedFocus !== 'search') return;
    search.current?.focus();
    search.current?.select();
    focusTaken();
  }, [wantedFocus, focusTaken]);

  const chosenStatus = statusEntries.find(({ id }) => id === String(filter.status ?? anyStatus));
  const typeNames = types.filter(({ code }) => filter.types.includes(code)).map(({ name }) => name);
  return (
    <div className={styles.controls}>
      <div className={styles.finding}>
        <SearchField
          ref={search}
          label="Search campaigns"
          placeholder="Name, country, >100"
          value={query}
          maxLength={maxSearchText}
          onChange={setQuery}
          onPaste={(event) => {
            const cids = readIdList(event.clipboardData.getData('text'));
            if (cids === null) return;
            event.preventDefault();
            setConditions([...conditions, { kind: 'ids', cids }]);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur();
            const place = places[event.key];
            if (place === undefined) return;
            event.preventDefault();
            settleNow();
            const typed = event.key === 'Enter' ? typedFilters(query, types) : null;
            if (typed !== null) {
              // Only an offer that is on screen is accepted.
              if (query === filter.query) applyTyped(typed);
              return;
            }
            uiStore.getState().requestFocus(place);
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
              : (typeNames.length === 1 && typeNames[0]) || formats.counted(typeNames.length, 'type')
          }
          name="Filter by type"
          entries={types.map(({ code, name }) => ({ id: String(code), label: name }))}
          selection={{ mode: 'multiple', ids: filter.types.map(String) }}
          onAction={(id) => setFilter({ types: toggled(filter.types, Number(id)) })}
        />
        <span className={styles.adding}>
          <AddFilter />
        </span>
      </div>
      <div className={styles.arranging}>
        <ColumnsButton />
        <ViewsMenu />
        <IconButton icon="refresh" label="Refresh" onClick={refresh} />
      </div>
    </div>
  );
}

function ColumnsButton(): ReactElement {
  const { hiddenColumns, columnOrder, columnWidths, toggleColumn, setColumnOrder, arrangeColumns } =
    useStore(uiStore);
  const movable = arrangedColumns(columnOrder).filter(({ sticky }) => sticky !== true);
  const usual = defaultPreferences.hiddenColumns;
  const isUsual = usual.length === hiddenColumns.length && usual.every((key) => hiddenColumns.includes(key));
  const isChanged = !isUsual || columnOrder.length + Object.keys(columnWidths).length > 0;

  function move(key: string, step: 1 | -1): void {
    const keys = movable.map((column) => column.key);
    const from = keys.indexOf(key);
    setColumnOrder(keys.toSpliced(from, 1).toSpliced(from + step, 0, key));
  }

  return (
    <PanelButton label="Columns" icon="columns" kind="quiet" name="Show and hide columns">
      {() => (
        <div className={cx(common.stack2, styles.columns)}>
          <Checkbox
            label="ID"
            checked={!hiddenColumns.includes('cid')}
            onChange={() => toggleColumn('cid')}
          />
          <OrderedChoice
            label="Columns"
            items={movable.map(({ key, title }) => ({
              id: key,
              label: title,
              chosen: !hiddenColumns.includes(key),
            }))}
            onToggle={toggleColumn}
            onMove={move}
          />
          <Buttons>
            <Button
              size="small"
              icon="reset"
              // `aria-disabled`, because a disabled button loses the focus and Escape could not close the panel.
              aria-disabled={!isChanged}
              onClick={() => isChanged && arrangeColumns({ hidden: usual, order: [], widths: {} })}
            >
              Reset columns
            </Button>
          </Buttons>
        </div>
      )}
    </PanelButton>
  );
}

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

function ViewsMenu(): ReactElement {
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
      <Suspense>
        {dialog === 'save' && <SaveViewDialog onClose={() => setDialog(null)} />}
        {dialog === 'manage' && <ViewsDialog onClose={() => setDialog(null)} />}
      </Suspense>
    </>
  );
}
