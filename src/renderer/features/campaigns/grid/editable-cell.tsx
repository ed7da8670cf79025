import { lazy, type ReactElement, Suspense } from 'react';
import { useStore } from 'zustand';
import { cellKey, gridStore } from '#renderer/stores/campaigns/grid-store.ts';
import { draftsStore } from '#renderer/stores/drafts/drafts-store.ts';
import type { EditableCellProps } from './cell-editor.tsx';

/** Editors, drafts in cells, the context menu and pasting are loaded when they are used first. */
export const loadChanges = () => import('./cell-changes.ts');
export const loadEditor = () => import('./cell-editor.tsx');

const TouchedCell = lazy(async () => ({ default: (await loadEditor()).TouchedCell }));

export function EditableCell(props: EditableCellProps): ReactElement {
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
