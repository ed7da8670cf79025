import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { gridStore, type PastedColumn, startEdit } from '#renderer/stores/campaigns/grid-store.ts';
import { indexOfCampaign } from '#renderer/stores/campaigns/paged-list.ts';
import { shownPart } from '#renderer/stores/campaigns/selection.ts';
import { draftsStore } from '#renderer/stores/drafts/drafts-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  Button,
  common,
  ContextMenu,
  Dialog,
  DialogFoot,
  ForeignText,
  type IconName,
  keysOf,
  type MenuEntry,
  Toast,
  useFormats,
} from '#renderer/ui/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import type { StatusCode } from '#shared/contract/index.ts';
import { type CellField, isCellField } from '#shared/drafts/index.ts';
import { quotedStart } from '#shared/lib/inert-text.ts';
import { applyPasted, copySelection, fillDown } from './cell-changes.ts';
import styles from './grid.module.css';

interface RowActions {
  statusChanges: readonly { status: StatusCode; label: string; icon: IconName }[];
  onChange: () => Promise<void>;
  onStatusChange: (status: StatusCode) => Promise<void>;
}

/** Draws the context menu, the preview of a pasted column and messages above the list. `actions` apply to the selected rows. */
export function GridOverlays(actions: RowActions): ReactElement {
  const { menu, pasted, notice, set } = useStore(gridStore);
  return (
    <>
      {menu !== null && <RowMenu {...menu} actions={actions} />}
      {pasted !== null && <PastePreview pasted={pasted} />}
      {notice !== null && <Toast tone="warning" title={notice} onDismiss={() => set({ notice: null })} />}
    </>
  );
}

function PastePreview({ pasted }: { pasted: PastedColumn }): ReactElement {
  const formats = useFormats();
  const { field, title, fits, faults } = pasted;
  const close = (): void => gridStore.getState().set({ pasted: null });
  return (
    <Dialog title={title} onClose={close}>
      <div className={common.stack3}>
        <p>
          {faults.length === 1 ? '1 value does' : `${formats.count(faults.length)} values do`} not fit and{' '}
          {faults.length === 1 ? 'is' : 'are'} left out.
        </p>
        <ul className={styles.faults} aria-label="Values that do not fit">
          {faults.map(({ name, text, message }, index) => (
            <li key={index}>
              <span className={styles.pastedText}>
                <ForeignText text={quotedStart(text, 60)} />
              </span>
              {name !== '' && (
                <span className={common.soft}>
                  {' for '}
                  <ForeignText text={name} />
                </span>
              )}
              <p className={common.bad}>
                <ForeignText text={message} />
              </p>
            </li>
          ))}
        </ul>
        <DialogFoot>
          <Button data-autofocus={fits.length === 0 || undefined} onClick={close}>
            {fits.length === 0 ? 'Close' : 'Cancel'}
          </Button>
          {fits.length > 0 && (
            <Button
              kind="primary"
              data-autofocus
              onClick={() => {
                close();
                void applyPasted(field, fits);
              }}
            >
              Paste {formats.count(fits.length)}
            </Button>
          )}
        </DialogFoot>
      </div>
    </Dialog>
  );
}

const statusAction = 'status ';

function RowMenu(props: { cid: number; x: number; y: number; actions: RowActions }): ReactElement {
  const { cid, x, y, actions } = props;
  const formats = useFormats();
  const column = useStore(gridStore, (state) => state.column);
  const { selection, found } = useStore(campaignsStore);
  const isDrafted = useStore(
    draftsStore,
    ({ campaigns }) => column !== null && campaigns[cid]?.fields[column] !== undefined,
  );
  const isOff = useStore(sessionStore, (state) => state.status?.writing.off != null);
  const isConnected = useStore(sessionStore, (state) => state.connection.kind === 'connected');
  const selected = shownPart(selection, found).cids;
  const count = selected.has(cid) ? selected.size : 1;
  const field = column !== null && isCellField(column) ? column : null;
  const entries: MenuEntry[] = [
    { id: 'open', label: 'Open', icon: 'panel', keys: column === null ? ['Enter'] : undefined },
    ...(field === null
      ? []
      : [
          {
            id: 'edit',
            label: `Edit ${fieldLabel(field).toLowerCase()}`,
            icon: 'edit' as const,
            keys: ['F2'],
          },
        ]),
    ...(field !== null && count > 1
      ? [{ id: 'fill', label: 'Fill down', icon: 'arrow-down' as const, keys: keysOf('fillDown') }]
      : []),
    ...(isDrafted ? [{ id: 'revert', label: 'Remove this draft', icon: 'undo' as const }] : []),
    { id: 'copy', label: 'Copy', icon: 'copy', keys: keysOf('copyCells') },
    { id: 'change', label: 'Change…', icon: 'edit' },
    ...actions.statusChanges.map(({ status, label, icon }) => ({
      id: `${statusAction}${status}`,
      label: `${label}…`,
      icon,
      disabled: isOff || !isConnected,
    })),
  ];
  return (
    <ContextMenu
      name={count === 1 ? `Actions for campaign ${cid}` : `Actions for ${formats.count(count)} campaigns`}
      at={{ x, y }}
      entries={entries}
      onClose={() => gridStore.getState().set({ menu: null })}
      onAction={(id) => act(id, { cid, field, actions })}
    />
  );
}

interface ActionSubject {
  cid: number;
  field: CellField | null;
  actions: RowActions;
}

function act(id: string, { cid, field, actions }: ActionSubject): void {
  if (id === 'open') return uiStore.getState().navigate({ page: 'campaigns', cid });
  if (id === 'edit') return void startEdit();
  if (id === 'fill') return fillDown();
  if (id === 'copy') return void copySelection();
  if (id === 'revert' && field !== null) {
    const title = `${fieldLabel(field)} of campaign ${cid}`;
    return draftsStore.getState().change(title, [{ cid, field, draft: null }]);
  }
  selectOnly(cid);
  if (id === 'change') void actions.onChange();
  else void actions.onStatusChange(Number(id.slice(statusAction.length)) as StatusCode);
}

/** Selects only this campaign, unless it is already part of the selection. */
function selectOnly(cid: number): void {
  const { selection, found, list, clearSelection, toggleSelected } = campaignsStore.getState();
  const index = list === null ? null : indexOfCampaign(list, cid);
  if (shownPart(selection, found).cids.has(cid) || index === null) return;
  clearSelection();
  toggleSelected(index);
}
