import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { besideStore, type CampaignValues } from '#renderer/stores/editor/beside-store.ts';
import { IconButton, TextField } from '#renderer/ui/index.ts';
import { PanelButton } from '#renderer/ui/report/index.ts';
import type { CampaignCondition } from '#shared/find/index.ts';
import type { ConditionFormProps } from './condition-form.tsx';
import { type ConditionKind, kindsMatching, kindTitle } from './condition-kinds.ts';
import styles from './find.module.css';

const loadForms = (): Promise<typeof import('./condition-form.tsx')> => import('./condition-form.tsx');

const LazyForm = lazy(async () => ({ default: (await loadForms()).ConditionForm }));

/** The form of one kind of condition. */
export function ConditionForm(props: ConditionFormProps): ReactElement {
  return (
    <Suspense>
      <LazyForm {...props} />
    </Suspense>
  );
}

/** A button that adds a condition: first its kind, then its small form. */
export function AddFilter(): ReactElement {
  return (
    <PanelButton label="Add filter" name="Add filter" icon="filter">
      {(close) => <AddingPanel close={close} />}
    </PanelButton>
  );
}

function AddingPanel({ close }: { close: () => void }): ReactElement {
  const { conditions, setConditions } = useStore(campaignsStore);
  const [kind, setKind] = useState<ConditionKind | null>(null);
  const values = useFindValues();
  useEffect(() => void loadForms(), []);

  function add(condition: CampaignCondition): void {
    setConditions([...conditions, condition]);
    close();
  }

  if (kind === null) return <KindList onChoose={setKind} />;
  return (
    <div className={styles.panel}>
      <div className={styles.panelHead}>
        <IconButton
          icon="chevron-left"
          size="small"
          label="Back to all filters"
          onClick={() => setKind(null)}
        />
        <h2 className={styles.panelTitle}>{kindTitle(kind)}</h2>
      </div>
      <ConditionForm kind={kind} was={null} values={values} onApply={add} />
    </div>
  );
}

/** The kinds of conditions; typing narrows them, Enter takes the first. */
function KindList({ onChoose }: { onChoose: (kind: ConditionKind) => void }): ReactElement {
  const [typed, setTyped] = useState('');
  const groups = kindsMatching(typed);
  const first = groups[0]?.entries[0];
  return (
    <div className={styles.panel}>
      <TextField
        label="Find a filter"
        value={typed}
        autoFocus
        onChange={setTyped}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || first === undefined) return;
          event.preventDefault();
          onChoose(first.kind);
        }}
      />
      {groups.length === 0 && <p className={styles.hint}>No such filter.</p>}
      <div className={styles.kinds}>
        {groups.map(({ heading, entries }) => (
          <section key={heading} aria-label={heading}>
            <h3 className={styles.kindHeading}>{heading}</h3>
            <ul className={styles.kindList}>
              {entries.map((entry) => (
                <li key={entry.kind}>
                  <button type="button" className={styles.kind} onClick={() => onChoose(entry.kind)}>
                    {entry.title}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}

/** Values that conditions can name; null until they are known. */
export function useFindValues(): CampaignValues | null {
  useEffect(() => void besideStore.getState().readValues(), []);
  return useStore(besideStore, (state) => state.values);
}
