import { type BulkShow, bulkStore } from '#renderer/stores/bulk/bulk-store.ts';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import {
  cx,
  common,
  useFormats,
  Button,
  ChangedText,
  EmptyState,
  ForeignText,
  Icon,
  Skeleton,
  type TableColumn,
  VirtualTable,
  widthOfTexts,
  FailureState,
} from '#renderer/ui/index.ts';
import type { AppOutput, BulkRow } from '#shared/app-api/index.ts';
import { type ReactElement, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { Segments } from '#renderer/ui/report/index.ts';
import styles from './bulk.module.css';

const rowHeight = 32;

type BulkCounts = AppOutput<'bulk.preview'>['counts'];

export function Preview(): ReactElement {
  const { preview, failure, isStale, doing, show, added } = useStore(bulkStore);
  const isFile = useStore(bulkStore, ({ form }) => form.subject === 'file');
  const { add, setShow } = bulkStore.getState();
  const [cursor, setCursor] = useState(0);

  async function addToDrafts(): Promise<void> {
    await add();
    if (bulkStore.getState().added !== null) campaignsStore.getState().clearSelection();
  }

  if (preview === null) {
    return failure === null ? (
      <EmptyState icon="panel" title={isStale ? 'Computing…' : 'No change yet'}>
        Choose a change to see it before and after.
      </EmptyState>
    ) : (
      <FailureState failure={failure} />
    );
  }
  const { counts, drafts, title, total, rows } = preview;
  const at = rows.get(Math.min(cursor, Math.max(0, total - 1)));
  const filters: { id: BulkShow; label: string }[] = [
    { id: 'all', label: 'All' },
    { id: 'change', label: 'Changes only' },
    ...(isFile ? [{ id: 'conflict' as const, label: 'Conflicts only' }] : []),
    { id: 'problem', label: 'Problems only' },
  ];
  return (
    <>
      <div className={styles.bar}>
        <p className={styles.counts} role="status">
          <Counts counts={counts} />
        </p>
        <Segments
          label="Rows that are shown"
          value={show}
          options={filters}
          onChange={(id) => {
            setCursor(0);
            setShow(id);
          }}
        />
        <Button
          kind="primary"
          disabled={isStale || doing !== null || drafts === 0 || added !== null}
          title={title}
          onClick={() => void addToDrafts()}
        >
          Add to drafts
        </Button>
      </div>
      {total === 0 ? (
        <EmptyState icon="search-none" title={emptyTitles[show]} />
      ) : (
        <Table cursor={cursor} onCursor={setCursor} />
      )}
      {at !== undefined && <Detail row={at} />}
    </>
  );
}

function Counts({ counts: { change, conflict, same, problem } }: { counts: BulkCounts }): ReactElement {
  const formats = useFormats();
  const outcomes = [
    { count: change, text: `${formats.count(change)} change`, className: common.strong },
    { count: conflict, text: formats.counted(conflict, 'conflict') },
    { count: same, text: `${formats.count(same)} no change` },
    { count: problem, text: formats.counted(problem, 'problem'), className: common.bad },
  ].filter(({ count }) => count > 0);
  return (
    <>
      {outcomes.map(({ text, className }, index) => (
        <span key={text} className={className}>
          {index === 0 ? text : `, ${text}`}
        </span>
      ))}
    </>
  );
}

const emptyTitles: Readonly<Record<BulkShow, string>> = {
  all: 'Nothing changes',
  change: 'Nothing changes',
  conflict: 'No conflicts',
  problem: 'No problems',
};

function Table({ cursor, onCursor }: { cursor: number; onCursor: (index: number) => void }): ReactElement {
  const { preview, isStale, show } = useStore(bulkStore);
  const isFile = useStore(bulkStore, ({ form }) => form.subject === 'file');
  const { total = 0, rows } = preview ?? {};
  const columns = useMemo(() => {
    const all = columnsFor([...(rows?.values() ?? [])], isFile ? maxValue.file : maxValue.campaigns);
    return (isFile ? [lineColumn, ...all] : all).map((column) => ({
      ...column,
      inView: true,
      placeholder: <Skeleton width="60%" />,
    }));
  }, [rows, isFile]);
  return (
    <div className={cx(common.stack, styles.table)}>
      <VirtualTable
        label="Preview of the change"
        columns={columns}
        rowCount={total}
        rowHeight={rowHeight}
        rowAt={(index) => rows?.get(index)}
        keyOf={(row) => row.cid}
        isSelected={() => false}
        isOpen={(row) => row.cid === rows?.get(cursor)?.cid}
        cursor={Math.min(cursor, Math.max(0, total - 1))}
        sort={{ column: '', order: 'asc' }}
        onSort={() => {}}
        onRowClick={onCursor}
        onKeyDown={(event, screenful) => {
          const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
          const step = { ...steps, PageDown: screenful, PageUp: -screenful }[event.key];
          if (step === undefined) return;
          event.preventDefault();
          onCursor(Math.max(0, Math.min(total - 1, cursor + step)));
        }}
        onShow={bulkStore.getState().showRows}
        dim={isStale}
        scrollKey={show}
      />
    </div>
  );
}

type BulkColumn = Omit<TableColumn<BulkRow>, 'inView' | 'placeholder'>;

/**
 * Longest text, in characters, that is shown in full, because figures and dates must not be cut. Of longer values only the
 * difference is shown.
 */
const maxFigure = 16;

/**
 * Max width of a value with its difference, in pixels. The preview of a file has less space because of its column of
 * line numbers.
 */
const maxValue = { campaigns: 184, file: 160 } as const;

const maxLabel = 176;

const riskText = ({ perDay: { before, after } }: BulkRow): string =>
  before === after ? before : `${before} → ${after}`;

function columnsFor(rows: readonly BulkRow[], most: number): readonly BulkColumn[] {
  const first = rows.flatMap(({ fields }) => fields.slice(0, 1));
  const widthOfValues = (texts: readonly string[]): number => {
    const figures = texts.filter(({ length }) => length <= maxFigure);
    const least = figures.length < texts.length ? Math.min(most, widthOfTexts(texts, 80)) : 80;
    return widthOfTexts(figures, least);
  };
  const labels = rows.flatMap(({ fields: [one, ...more] }) =>
    one === undefined ? [] : [more.length > 0 ? `${one.label} +${more.length}` : one.label],
  );
  return [
    {
      key: 'name',
      title: 'Campaign',
      width: 160,
      grow: true,
      render: ({ name, cid, isDrafted }) => (
        <span className={styles.name}>
          <span className={styles.nameText}>
            <ForeignText text={name} />
          </span>
          <span className={styles.cid}>{cid}</span>
          {isDrafted && (
            <span className={styles.sign} role="img" aria-label="drafted" title="Has drafts already">
              <Icon name="drafts" size={14} />
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'field',
      title: 'Field',
      width: Math.min(maxLabel, widthOfTexts(labels, 80)),
      spanOf: (row) => (messageOf(row) === null ? 1 : 3),
      render: (row) => messageOf(row) ?? <FieldName row={row} />,
    },
    {
      key: 'before',
      title: 'Before',
      width: widthOfValues(first.map(({ before }) => before)),
      render: ({ fields: [one] }) => one && <ChangedText short text={one.before} other={one.after} />,
    },
    {
      key: 'after',
      title: 'After',
      width: widthOfValues(first.map(({ after }) => after)),
      render: ({ fields: [one] }) =>
        one && (
          <span className={common.medium}>
            <ChangedText short text={one.after} other={one.before} />
          </span>
        ),
    },
    {
      key: 'risk',
      title: 'At risk per day',
      width: widthOfTexts(rows.map(riskText), 112),
      align: 'end',
      render: (row) => <span>{riskText(row)}</span>,
    },
  ];
}

function LineCell({ line }: { line: number }): ReactElement {
  return <span className={styles.cid}>{useFormats().count(line)}</span>;
}

const lineColumn: BulkColumn = {
  key: 'line',
  title: 'Line',
  width: 48,
  align: 'end',
  render: ({ line }) => (line === null ? null : <LineCell line={line} />),
};

function messageOf({ state, fields, problems }: BulkRow): ReactElement | null {
  if (state === 'problem') return <span className={common.bad}>{problems[0]}</span>;
  if (state === 'conflict' && fields.length === 0)
    return <span className={styles.conflict}>{problems[0] ?? 'Someone else changed it'}</span>;
  return state === 'same' ? <span className={styles.cid}>No change</span> : null;
}

function FieldName({ row: { state, fields } }: { row: BulkRow }): ReactElement | null {
  const [first, ...more] = fields;
  if (first === undefined) return null;
  return (
    <span className={styles.field}>
      {state === 'conflict' && (
        <span
          className={styles.sign}
          role="img"
          aria-label="Conflict"
          title="Someone else changed this since the export"
        >
          <Icon name="warning" size={14} />
        </span>
      )}
      <span className={styles.nameText}>{first.label}</span>
      {more.length > 0 && <span>+{more.length}</span>}
    </span>
  );
}

function Detail({ row }: { row: BulkRow }): ReactElement | null {
  const formats = useFormats();
  if (row.fields.length === 0 && row.problems.length === 0) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and is reached by the keyboard for that
    <div className={styles.detail} aria-label="Row under the cursor" role="region" tabIndex={0}>
      <p className={cx(common.strong, common.breaks)}>
        <ForeignText text={row.name} />{' '}
        <span className={styles.cid}>
          {row.cid}
          {row.line !== null && <span>{`, line ${formats.count(row.line)}`}</span>}
        </span>
      </p>
      {row.state === 'conflict' && row.fields.length > 0 && (
        <p className={styles.conflict}>
          Someone else changed this since the export. Choose yours or theirs in the drafts.
        </p>
      )}
      {row.problems.map((problem) => (
        <p key={problem} className={common.bad}>
          {problem}
        </p>
      ))}
      <dl className={styles.fields}>
        {row.fields.map(({ field, label, before, after, exported }) => (
          <div key={field}>
            <dt>{label}</dt>
            <dd>
              <span className={common.soft}>
                <ChangedText text={before} other={after} />
              </span>{' '}
              →{' '}
              <span className={common.medium}>
                <ChangedText text={after} other={before} />
              </span>
              {exported !== null && <span className={styles.conflict}> (exported as {exported})</span>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
