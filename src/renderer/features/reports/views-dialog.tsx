import { useEffect, useRef, useState, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { viewsStore } from './stores/marks-store.ts';
import {
  Banner,
  Button,
  changeAndFocus,
  Dialog,
  FailureBanner,
  ForeignText,
  IconButton,
  NameForm,
  Pill,
  removeAndPassFocusAsync,
  Menu,
  common,
} from '#renderer/ui/index.ts';
import { maxViewNameLength, type ReportQuery, type ReportView } from '#shared/app-api/index.ts';
import { inertText, quoted } from '#shared/lib/inert-text.ts';
import { isSameName } from '#shared/lib/folded-text.ts';
import { sourceLabel } from './marks/mark-control.tsx';
import styles from './panels.module.css';

interface DialogProps {
  query: ReportQuery;
  onClose: () => void;
}

function SaveViewDialog({ query, onClose }: DialogProps): ReactElement {
  const { items, save, overwrite, doing, refusal, dismiss } = useStore(viewsStore);
  const [asked, setAsked] = useState('');
  useEffect(() => dismiss, [dismiss]);
  const failure = refusal?.failure ?? null;
  const taken =
    failure?.code === 'view_name_taken' ? items?.find((view) => isSameName(view.name, asked)) : undefined;

  async function submit(name: string): Promise<void> {
    setAsked(name);
    if (await save(name, query)) onClose();
  }

  return (
    <Dialog title="Save view" onClose={onClose}>
      <NameForm
        maxLength={maxViewNameLength}
        action={() => 'Save view'}
        error={failure ? `${failure.message} ${failure.next}` : undefined}
        isBusy={doing !== null}
        other={
          taken && (
            <Button
              kind="secondary"
              onClick={() => void overwrite(taken.id, query).then((done) => done && onClose())}
            >
              Replace that view
            </Button>
          )
        }
        onTyped={dismiss}
        onSubmit={(name) => void submit(name)}
        onCancel={onClose}
      >
        <p className={styles.quiet}>A named range such as “last 30 days” moves with the days.</p>
      </NameForm>
    </Dialog>
  );
}

function ViewsDialog({ query, onClose }: DialogProps): ReactElement {
  const { items, refusal, dismiss } = useStore(viewsStore);
  useEffect(() => dismiss, [dismiss]);
  return (
    <Dialog title="Manage views" onClose={onClose}>
      {refusal && <FailureBanner tone="warning" failure={refusal.failure} />}
      {items?.length === 0 && <p className={styles.quiet}>No saved views.</p>}
      <ol data-entries="">
        {items?.map((view, at) => (
          <ViewItem
            key={view.id}
            view={view}
            query={query}
            isFirst={at === 0}
            isLast={at === items.length - 1}
          />
        ))}
      </ol>
    </Dialog>
  );
}

interface ViewItemProps {
  view: ReportView;
  query: ReportQuery;
  isFirst: boolean;
  isLast: boolean;
}

function ViewItem({ view, query, isFirst, isLast }: ViewItemProps): ReactElement {
  const { move, setStart, overwrite, remove, doing } = useStore(viewsStore);
  const [editing, setEditing] = useState<'name' | 'delete' | null>(null);
  const { id, start } = view;
  const name = inertText(view.name);
  const renames = useRef<HTMLButtonElement>(null);
  const deletes = useRef<HTMLButtonElement>(null);
  function done(): void {
    changeAndFocus(
      () => setEditing(null),
      () => (editing === 'name' ? renames : deletes).current,
    );
  }
  if (editing === 'name') return <RenameItem view={view} onDone={done} />;
  if (editing === 'delete') {
    return (
      <li className={styles.item}>
        <Banner
          tone="warning"
          title={`Delete the view ${quoted(view.name)}?`}
          actions={
            <>
              <Button
                size="small"
                data-removes="view"
                onClick={({ currentTarget }) => void removeAndPassFocusAsync(currentTarget, () => remove(id))}
              >
                Delete view
              </Button>
              <Button size="small" kind="quiet" autoFocus onClick={done}>
                Cancel
              </Button>
            </>
          }
        >
          The report itself stays.
        </Banner>
      </li>
    );
  }
  const busy = doing !== null;
  return (
    <li className={styles.item} aria-label={name}>
      <span className={styles.itemName}>
        <ForeignText text={view.name} /> {start && <Pill tone="good" label="Opens first" />}
        <div className={styles.quiet}>
          {view.query ? sourceLabel(view.query.source) : 'Saved by another version of Countersign'}
        </div>
      </span>
      <span className={common.row1}>
        <IconButton
          size="small"
          icon="start"
          label={start ? `Don’t open ${name} first` : `Open ${name} first`}
          aria-pressed={start}
          disabled={busy}
          onClick={() => void setStart(start ? null : id)}
        />
        <IconButton
          size="small"
          icon="arrow-up"
          label={`Move ${name} up`}
          disabled={busy || isFirst}
          onClick={() => void move(id, -1)}
        />
        <IconButton
          size="small"
          icon="arrow-down"
          label={`Move ${name} down`}
          disabled={busy || isLast}
          onClick={() => void move(id, 1)}
        />
        <IconButton
          ref={renames}
          size="small"
          icon="edit"
          label={`Rename ${name}`}
          onClick={() => setEditing('name')}
        />
        <IconButton
          size="small"
          icon="refresh"
          label={`Replace ${name} with the report that is shown`}
          disabled={busy}
          onClick={() => void overwrite(id, query)}
        />
        <IconButton
          ref={deletes}
          size="small"
          icon="remove"
          data-removes="view"
          label={`Delete ${name}`}
          onClick={() => setEditing('delete')}
        />
      </span>
    </li>
  );
}

function RenameItem({ view, onDone }: { view: ReportView; onDone: () => void }): ReactElement {
  const { rename, doing, dismiss } = useStore(viewsStore);
  return (
    <li className={styles.item}>
      <NameForm
        name={view.name}
        maxLength={maxViewNameLength}
        action={() => 'Rename view'}
        size="small"
        isBusy={doing !== null}
        onTyped={dismiss}
        onSubmit={(name) => void rename(view.id, name).then((done) => done && onDone())}
        onCancel={onDone}
      />
    </li>
  );
}

interface ViewsMenuProps {
  query: ReportQuery;
  onOpen: (query: ReportQuery) => void;
}

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
