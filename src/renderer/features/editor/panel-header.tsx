import { uiStore } from '#renderer/stores/ui/index.ts';
import { ForeignText, IconButton, Pill, StatusPill } from '#renderer/ui/index.ts';
import { valueInWords } from '#shared/campaign/index.ts';
import type { ReactElement } from 'react';
import type { Editing } from './editing.ts';
import styles from './panel.module.css';

/** Name, status, id and type of the open campaign, as they are stored. */
export function PanelHeader({ cid, editing }: { cid: number; editing: Editing | null }): ReactElement {
  const { navigate } = uiStore.getState();
  return (
    <header className={styles.header}>
      <div className={styles.heading}>
        <h2 className={styles.name}>
          {editing ? <ForeignText text={editing.stored('name')} /> : `Campaign ${cid}`}
        </h2>
        <div className={styles.facts}>
          {editing && <StatusPill framed status={Number(editing.campaign['status'])} />}
          <span>ID {cid}</span>
          {editing && <ForeignText text={valueInWords('type', editing.campaign['type'], editing.context)} />}
          {editing && editing.checked.changes.length > 0 && <Pill framed tone="busy" label="Edited" />}
        </div>
      </div>
      <IconButton
        icon="close"
        label="Close the campaign"
        size="small"
        onClick={() => navigate({ page: 'campaigns', cid: null })}
      />
    </header>
  );
}
