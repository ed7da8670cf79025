import { bulkStore } from '#renderer/stores/bulk/bulk-store.ts';
import { findCampaigns } from '#renderer/stores/campaigns/campaigns-store.ts';
import { Button, Checkbox, ForeignText, SearchField } from '#renderer/ui/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { pasteSectionIds, pasteSectionTitles } from '#shared/drafts/index.ts';
import { type ReactElement, useEffect, useState } from 'react';
import type { PartProps } from './amount-part.tsx';
import styles from './bulk.module.css';

const searchMs = 200;

/** The campaign whose settings are pasted, and which of them. */
export function PastePart({ form, errorOf }: PartProps): ReactElement {
  const { change } = bulkStore.getState();
  return (
    <>
      {form.source === null ? (
        <SourceSearch />
      ) : (
        <div className={styles.source}>
          <span>
            From <ForeignText text={form.source.name} /> ({form.source.cid})
          </span>
          <Button size="small" onClick={() => change({ source: null })}>
            Change
          </Button>
        </div>
      )}
      <fieldset className={styles.group}>
        <legend>Sections</legend>
        {pasteSectionIds.map((id) => (
          <Checkbox
            key={id}
            label={pasteSectionTitles[id]}
            checked={form.sections.includes(id)}
            onChange={(isOn) =>
              change({
                sections: pasteSectionIds.filter((one) => (one === id ? isOn : form.sections.includes(one))),
              })
            }
          />
        ))}
        {errorOf('sections') !== undefined && (
          <p className={styles.error} role="alert">
            {errorOf('sections')}
          </p>
        )}
      </fieldset>
    </>
  );
}

function SourceSearch(): ReactElement {
  const { change } = bulkStore.getState();
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<{ query: string; rows: readonly CampaignRow[] }>({
    query: '',
    rows: [],
  });
  // A press must not choose what an earlier text has found.
  const rows = found.query === query ? found.rows : [];
  useEffect(() => {
    let isWanted = true;
    const timer = setTimeout(() => {
      void findCampaigns(query).then((answer) => {
        if (isWanted) setFound({ query, rows: answer });
      });
    }, searchMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [query]);
  return (
    <>
      <SearchField label="Copy from" placeholder="Name or ID" value={query} onChange={setQuery} />
      <ul className={styles.found} aria-label="Campaigns to copy from">
        {rows.map(({ cid, name }) => (
          <li key={cid}>
            <button
              type="button"
              className={styles.foundEntry}
              onClick={() => change({ source: { cid, name } })}
            >
              <span className={styles.nameText}>
                <ForeignText text={name} />
              </span>
              <span className={styles.cid}>{cid}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
