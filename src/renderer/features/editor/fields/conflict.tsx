import { draftsStore } from '#renderer/stores/drafts/index.ts';
import { editorStore } from '#renderer/stores/editor/index.ts';
import { Button, DefinitionList, ForeignText, Icon } from '#renderer/ui/index.ts';
import { fieldLabel, valueInWords } from '#shared/campaign/index.ts';
import type { CheckedField } from '#shared/drafts/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import type { ReactElement } from 'react';
import type { Editing } from '../editing.ts';
import styles from './edit-fields.module.css';

/** A field that someone else changed since its draft began: the three values, and the choice between two of them. */
export function Conflict(props: { editing: Editing; conflict: CheckedField }): ReactElement {
  const { editing, conflict } = props;
  const { field, original, theirs, mine } = conflict;
  const label = fieldLabel(field);
  const words = (value: JsonValue | undefined): ReactElement => (
    <ForeignText text={valueInWords(field, value, editing.context)} />
  );
  function settle(keep: 'mine' | 'theirs'): void {
    editorStore.getState().type(editing.cid, field, null);
    void draftsStore.getState().settleConflict({ cid: editing.cid, field, keep });
  }
  return (
    <div className={styles.conflict} role="group" aria-label={`Conflict: ${label}`}>
      <p className={styles.conflictTitle} role="alert">
        <Icon name="warning" size={14} /> Someone else changed {label} since you edited it.
      </p>
      <DefinitionList
        items={[
          { key: 'mine', term: 'Mine', value: words(mine) },
          { key: 'theirs', term: 'Theirs, now', value: words(theirs) },
          { key: 'original', term: 'Original', value: words(original) },
        ]}
      />
      {editing.proposalId === null && (
        <span className={styles.readings}>
          <Button size="small" aria-label={`Take theirs: ${label}`} onClick={() => settle('theirs')}>
            Take theirs
          </Button>
          <Button size="small" aria-label={`Keep mine: ${label}`} onClick={() => settle('mine')}>
            Keep mine
          </Button>
        </span>
      )}
    </div>
  );
}
