import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { listViewsStore } from './stores/list-stores.ts';
import { notesStore } from '#renderer/stores/notes-store.ts';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  useFormats,
  Checkbox,
  changeAndFocus,
  Dialog,
  ForeignText,
  IconButton,
  NameForm,
  removeAndPassFocusAsync,
  common,
  cx,
  FailureBanner,
} from '#renderer/ui/index.ts';
import { type ListView, maxViewNameLength, type SavedListView } from '#shared/app-api/index.ts';
import { conditionInWords } from '#shared/find/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { isSameName } from '#shared/lib/folded-text.ts';
import styles from './campaigns.module.css';
import type { Formats } from '#shared/lib/formats.ts';

function shownView(withColumns: boolean): ListView {
  const { filter, conditions } = campaignsStore.getState();
  const { hiddenColumns, columnOrder, columnWidths } = uiStore.getState();
  const columns = { hidden: [...hiddenColumns], order: [...columnOrder], widths: { ...columnWidths } };
  return { filter, conditions: [...conditions], columns: withColumns ? columns : null };
}

export function SaveViewDialog({ onClose }: { onClose: () => void }): ReactElement {
  const { items, save, doing, refusal, dismiss } = useStore(listViewsStore);
  const [withColumns, setWithColumns] = useState(false);
  useEffect(() => dismiss, [dismiss]);
  const failure = refusal?.failure ?? null;
  const takenBy = (name: string): SavedListView | undefined =>
    items.find((one) => isSameName(one.name, name));

  async function submit(name: string): Promise<void> {
    if (await save({ id: takenBy(name)?.id ?? null, name, view: shownView(withColumns) })) onClose();
  }

  return (
    <Dialog title="Save filter" onClose={onClose}>
      <NameForm
        maxLength={maxViewNameLength}
        action={(name) => (takenBy(name) === undefined ? 'Save filter' : 'Replace saved filter')}
        error={failure ? `${failure.message} ${failure.next}` : undefined}
        isBusy={doing !== null}
        onTyped={dismiss}
        onSubmit={(name) => void submit(name)}
        onCancel={onClose}
      >
        <Checkbox
          label="With columns"
          hint="Which ones are shown, their order and their widths."
          checked={withColumns}
          onChange={setWithColumns}
        />
        <p className={common.quiet}>
          Saves the search, filters and order for this profile, on this computer only.
        </p>
      </NameForm>
    </Dialog>
  );
}

export function ViewsDialog({ onClose }: { onClose: () => void }): ReactElement {
  const { items, refusal, dismiss } = useStore(listViewsStore);
  useEffect(() => dismiss, [dismiss]);
  return (
    <Dialog title="Saved filters and views" onClose={onClose}>
      {refusal && <FailureBanner tone="warning" failure={refusal.failure} />}
      {items.length === 0 && <p className={common.quiet}>Nothing saved.</p>}
      <ul data-entries="">
        {items.map((item) => (
          <ViewItem key={item.id} item={item} />
        ))}
      </ul>
    </Dialog>
  );
}

function ViewItem({ item }: { item: SavedListView }): ReactElement {
  const formats = useFormats();
  const { save, rename, remove, doing } = useStore(listViewsStore);
  const [isRenaming, setRenaming] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const { id, view } = item;
  const name = inertText(item.name);
  if (isRenaming) {
    const done = (): void =>
      changeAndFocus(
        () => setRenaming(false),
        () => opener.current,
      );
    return (
      <li className={cx(common.row3, styles.item)}>
        <NameForm
          name={item.name}
          maxLength={maxViewNameLength}
          action={() => 'Rename'}
          size="small"
          isBusy={doing !== null}
          onSubmit={(renamed) => void rename(id, renamed).then((isDone) => isDone && done())}
          onCancel={done}
        />
      </li>
    );
  }
  return (
    <li className={cx(common.row3, styles.item)} aria-label={name}>
      <span className={cx(common.growNarrow, common.breaks, common.stack)}>
        <ForeignText text={item.name} />
        <span className={common.quiet}>
          {view === null ? 'Saved by another version of Countersign' : wordsOf(view, formats)}
        </span>
      </span>
      <span className={styles.fixed}>
        <IconButton
          ref={opener}
          size="small"
          icon="edit"
          label={`Rename ${name}`}
          onClick={() => setRenaming(true)}
        />
        <IconButton
          size="small"
          icon="refresh"
          label={`Replace ${name} with what is shown`}
          disabled={doing !== null}
          onClick={() => void save({ id, name: item.name, view: shownView(view?.columns != null) })}
        />
        <IconButton
          size="small"
          icon="remove"
          data-removes="view"
          label={`Delete ${name}`}
          disabled={doing !== null}
          onClick={({ currentTarget }) => void removeAndPassFocusAsync(currentTarget, () => remove(id))}
        />
      </span>
    </li>
  );
}

function wordsOf({ filter, conditions, columns }: ListView, formats: Formats): string {
  const { labels } = notesStore.getState();
  const labelName = (id: string): string | null => labels.find((label) => label.id === id)?.name ?? null;
  const parts = [
    ...(filter.query.trim() === '' ? [] : [`Search: ${inertText(filter.query)}`]),
    ...(filter.status === null && filter.types.length === 0 ? [] : ['status and types']),
    ...conditions.map((condition) => conditionInWords(condition, labelName, formats)),
    ...(columns === null ? [] : ['columns']),
  ];
  return parts.length === 0 ? 'All campaigns' : parts.join(' · ');
}
