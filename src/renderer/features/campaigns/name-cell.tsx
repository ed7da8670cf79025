import { editorStore } from '#renderer/stores/editor/index.ts';
import { ForeignText, Pill } from '#renderer/ui/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './name-cell.module.css';

/** A campaign's name, and the mark of edits that were typed and not yet proposed. */
export function NameCell({ row }: { row: CampaignRow }): ReactElement {
  const edited = useStore(editorStore, ({ campaigns }) => {
    const open = campaigns[row.cid];
    return open !== undefined && Object.keys(open.draft).length > 0;
  });
  return (
    <span className={styles.name} title={inertText(row.name)}>
      <span className={styles.text}>
        <ForeignText text={row.name} />
      </span>
      {edited && (
        <span className={styles.mark}>
          <Pill tone="busy" label="Edited" />
        </span>
      )}
    </span>
  );
}
