import { type ReactElement, type ReactNode, lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import { notesStore } from '#renderer/stores/notes-store.ts';
import { lastChangesStore, waitingStore, waitingWords } from './stores/list-stores.ts';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { flightsStore } from '#renderer/stores/campaigns/flights-store.ts';
import { draftsStore } from '#renderer/stores/drafts/drafts-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import type { UiState } from '#renderer/stores/ui/ui-store.ts';
import {
  cx,
  common,
  useFormats,
  ageText,
  Chip,
  ChipList,
  ForeignText,
  LabelChips,
  Money,
  Pill,
  Skeleton,
  StatusPill,
  type TableColumn,
} from '#renderer/ui/index.ts';
import { type BudgetField, rowLimit } from '#shared/campaign/index.ts';
import { type CampaignRow, sortColumns, type SortColumn } from '#shared/contract/index.ts';
import { fullDateText, isDate } from '#shared/lib/date-text.ts';
import { toMicros } from '#shared/lib/decimal.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { proposerNames } from '#shared/wording/index.ts';
import styles from './campaigns.module.css';
import { cellKey, gridStore } from '#renderer/stores/campaigns/grid-store.ts';
import type { EditableCellProps } from './grid/cell-editor.tsx';

type CampaignColumn = TableColumn<CampaignRow>;

const countriesShown = 2;
const nothing = <Chip quiet>–</Chip>;

function BidCell({ value }: { value: number }): ReactElement {
  return <Money text={useFormats().bid(toMicros(value))} />;
}

function BudgetCell({ row, budget }: { row: CampaignRow; budget: BudgetField }): ReactElement {
  const formats = useFormats();
  const limit = rowLimit(row, budget);
  const stored = row[budget];
  const isUnlimited = limit === Infinity;
  return (
    <>
      {stored > 0 && stored !== limit && (
        <s className={styles.stored} title="Stored, not in effect">
          {formats.money(toMicros(stored)).replace(/\.00$/u, '')}
        </s>
      )}
      <Money quiet={isUnlimited} text={isUnlimited ? 'Unlimited' : formats.money(toMicros(limit))} />
    </>
  );
}

function countries(geo: readonly string[]): ReactNode {
  if (geo.length === 0) return <Chip quiet>All</Chip>;
  return (
    <span title={inertText(geo.join(', '))}>
      <ChipList>
        {geo.slice(0, countriesShown).map((code) => (
          <Chip key={code} small>
            <ForeignText text={code} />
          </Chip>
        ))}
        {geo.length > countriesShown && <Chip quiet>+{geo.length - countriesShown}</Chip>}
      </ChipList>
    </span>
  );
}

type Definition = Omit<CampaignColumn, 'placeholder' | 'sortable'>;

const column = (key: string, title: string, width: number, render: Definition['render']): Definition => ({
  key,
  title,
  width,
  render,
});

const figure = (...parts: Parameters<typeof column>): Definition => ({ ...column(...parts), align: 'end' });

const edited = (definition: Definition): Definition => ({ ...definition, editable: true });

function BudgetColumn({ row, budget }: { row: CampaignRow; budget: BudgetField }): ReactElement {
  const formats = useFormats();
  return (
    <EditableCell cid={row.cid} field={budget} stored={row[budget]} align="end">
      {(drafted) =>
        typeof drafted === 'number' ? (
          <Money text={drafted === 0 ? 'Unlimited' : formats.money(toMicros(drafted))} />
        ) : (
          <BudgetCell row={row} budget={budget} />
        )
      }
    </EditableCell>
  );
}

function FlightCell({ cid, field }: { cid: number; field: 'create' | 'expire' }): ReactElement {
  const flight = useStore(flightsStore, ({ byCid }) => byCid.get(cid));
  return (
    <EditableCell cid={cid} field={field} stored={flight?.[field] ?? ''}>
      {(drafted) => {
        if (flight === undefined) return <Skeleton width="64px" />;
        const date = typeof drafted === 'string' ? drafted : flight[field];
        if (date === '') return nothing;
        return isDate(date) ? fullDateText(date) : <ForeignText text={date} />;
      }}
    </EditableCell>
  );
}

/**
 * Ordered so that the first columns fit into a window of 1280 pixels, and the very first ones stay visible if a panel is open.
 */
const definitions: Definition[] = [
  { ...figure('cid', 'ID', 72, (row) => row.cid), sticky: true },
  edited({ ...column('name', 'Name', 240, (row) => <NameCell row={row} />), grow: true, sticky: true }),
  edited(
    column('status', 'Status', 104, ({ cid, status }) => (
      <EditableCell cid={cid} field="status" stored={status}>
        {(drafted) => <StatusPill status={typeof drafted === 'number' ? drafted : status} />}
      </EditableCell>
    )),
  ),
  edited(
    figure('payout', 'Bid', 92, ({ cid, payout }) => (
      <EditableCell cid={cid} field="payout" stored={payout} align="end">
        {(drafted) => <BidCell value={typeof drafted === 'number' ? drafted : payout} />}
      </EditableCell>
    )),
  ),
  edited(figure('d_revenue', 'Daily budget', 116, (row) => <BudgetColumn row={row} budget="d_revenue" />)),
  edited(figure('t_revenue', 'Total budget', 124, (row) => <BudgetColumn row={row} budget="t_revenue" />)),
  column('type_name', 'Type', 136, (row) => <ForeignText text={row.type_name} />),
  column('geo', 'Countries', 92, (row) => countries(row.geo)),
  edited(column('create', 'Start', 104, ({ cid }) => <FlightCell cid={cid} field="create" />)),
  edited(column('expire', 'End', 104, ({ cid }) => <FlightCell cid={cid} field="expire" />)),
  { ...column('lastChange', 'Last change', 168, ({ cid }) => <LastChangeCell cid={cid} />), sizable: true },
  { ...column('labels', 'Labels', 168, ({ cid }) => <LabelsCell cid={cid} max={6} />), sizable: true },
  column('website', 'Website', 188, ({ website }) =>
    website === '' ? (
      nothing
    ) : (
      <span title={inertText(website)}>
        <ForeignText text={website} />
      </span>
    ),
  ),
  figure('bid_control_count', 'Bid controls', 104, (row) =>
    row.bid_control_count === 0 ? nothing : row.bid_control_count,
  ),
  figure('uid', 'Owner', 80, (row) => row.uid),
];

const placeholderWidth = (width: number): string => `${Math.round(Math.min(width, 240) * 0.55)}px`;

const lastInView: SortColumn = 'geo';

const isSortColumn = (key: string): boolean => sortColumns.some((column) => column === key);

export const campaignColumns: readonly CampaignColumn[] = definitions.map((column, index) => ({
  ...column,
  inView: index <= definitions.findIndex(({ key }) => key === lastInView),
  sortable: isSortColumn(column.key),
  placeholder: <Skeleton width={placeholderWidth(column.width)} />,
}));

function NameCell({ row }: { row: CampaignRow }): ReactElement {
  const edited = useStore(draftsStore, ({ campaigns }) => campaigns[row.cid] !== undefined);
  const changed = useStore(campaignsStore, (state) => state.changed.has(row.cid));
  return (
    <EditableCell cid={row.cid} field="name" stored={row.name}>
      {(drafted) => (
        <span className={cx(common.row2, styles.name)} title={inertText(row.name)}>
          <span className={styles.text}>
            <ForeignText text={typeof drafted === 'string' ? drafted : row.name} />
          </span>
          {edited && (
            <span className={styles.mark}>
              <Pill tone="busy" label="Edited" />
            </span>
          )}
          {changed && (
            <span className={styles.mark} title="Differs from the row of the last session">
              <Pill tone="neutral" label="Changed" />
            </span>
          )}
          <LabelsCell cid={row.cid} max={2} />
          <WaitingMark cid={row.cid} />
        </span>
      )}
    </EditableCell>
  );
}

function WaitingMark({ cid }: { cid: number }): ReactElement | null {
  const waiting = useStore(waitingStore, ({ byCid }) => byCid.get(cid));
  const [newest, second] = waiting ?? [];
  if (waiting === undefined || newest === undefined) return null;
  const { short, full } = waitingWords(waiting);
  return (
    <a
      className={styles.mark}
      href={routeHref({ page: 'proposals', id: second === undefined ? newest.id : null })}
      title={full}
      aria-label={full}
      // Prevents the row from opening the campaign and the table from handling Enter.
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.key === 'Enter' && event.stopPropagation()}
    >
      <Pill tone="waiting" label={short} />
    </a>
  );
}

function LabelsCell({ cid, max }: { cid: number; max: number }): ReactElement | null {
  const ids = useStore(notesStore, ({ byCid }) => byCid.get(cid)?.labels);
  const known = useStore(notesStore, (state) => state.labels);
  if (ids === undefined || ids.length === 0) return null;
  return <LabelChips labels={known.filter(({ id }) => ids.includes(id))} max={max} />;
}

function LastChangeCell({ cid }: { cid: number }): ReactNode {
  const formats = useFormats();
  const change = useStore(lastChangesStore, ({ byCid }) => byCid.get(cid));
  if (change === undefined) return nothing;
  const { id, title, by, atMs } = change;
  return (
    <a
      className={styles.lastChange}
      href={routeHref({ page: 'proposals', id })}
      title={`${title} · ${formats.moment(atMs)}`}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.key === 'Enter' && event.stopPropagation()}
    >
      {ageText(atMs, Date.now(), formats)} · <ForeignText text={proposerNames([by])} />
    </a>
  );
}

export function arrangedColumns(order: readonly string[]): CampaignColumn[] {
  const at = ({ key }: CampaignColumn): number => {
    const index = order.indexOf(key);
    return index < 0 ? order.length : index;
  };
  const movable = campaignColumns.filter(({ sticky }) => sticky !== true);
  return [
    ...campaignColumns.filter(({ sticky }) => sticky),
    ...movable.toSorted((left, right) => at(left) - at(right)),
  ];
}

export function shownColumns({
  hiddenColumns,
  columnOrder,
}: Pick<UiState, 'hiddenColumns' | 'columnOrder'>): CampaignColumn[] {
  return arrangedColumns(columnOrder).filter(({ key }) => key === 'name' || !hiddenColumns.includes(key));
}

/** Editors, drafts in cells, the context menu and pasting are loaded when they are used first. */
export const loadChanges = () => import('./grid/cell-changes.ts');
export const loadEditor = () => import('./grid/cell-editor.tsx');

const TouchedCell = lazy(async () => ({ default: (await loadEditor()).ChangedCell }));

function EditableCell(props: EditableCellProps): ReactElement {
  const { cid, field, children } = props;
  const key = cellKey({ cid, field });
  const isOpen = useStore(
    gridStore,
    ({ editing, entered }) => entered.has(key) || (editing !== null && cellKey(editing) === key),
  );
  const isDrafted = useStore(draftsStore, ({ campaigns }) => campaigns[cid]?.fields[field] !== undefined);
  const untouched = children(undefined);
  if (!isOpen && !isDrafted) return <>{untouched}</>;
  return (
    <Suspense fallback={untouched}>
      <TouchedCell {...props} />
    </Suspense>
  );
}
