import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { undoOf, undoStore } from '#renderer/stores/undo-store.ts';
import { useFormats, askerNames, Disclosure, ForeignText, StatePill, UndoPart } from '#renderer/ui/index.ts';
import type { CampaignChange } from '#shared/app-api/index.ts';
import styles from '../editor.module.css';

/** The last changes of the campaign through this app, newest first, each of which can be taken back. */
export function LastChanges({ changes }: { changes: readonly CampaignChange[] }): ReactElement {
  return (
    <>
      <ChangeList changes={changes.slice(0, alwaysShown)} />
      {changes.length > alwaysShown && (
        <Disclosure title="Earlier changes" aside={changes.length - alwaysShown}>
          <ChangeList changes={changes.slice(alwaysShown)} />
        </Disclosure>
      )}
    </>
  );
}

/** Number of changes that are in view; earlier ones are behind one line. */
const alwaysShown = 2;

function ChangeList({ changes }: { changes: readonly CampaignChange[] }): ReactElement {
  return (
    <ul className={styles.changes}>
      {changes.map((change) => (
        <Change key={change.id} change={change} />
      ))}
    </ul>
  );
}

function Change({ change }: { change: CampaignChange }): ReactElement {
  const formats = useFormats();
  const { id, title, state, by, atMs, undo } = change;
  const undoing = useStore(undoStore);
  return (
    <li className={styles.change}>
      <a className={styles.changeTitle} href={routeHref({ page: 'proposals', id })}>
        <ForeignText text={title} />
      </a>
      <span className={styles.changeFacts}>
        <StatePill state={state} />
        <ForeignText text={askerNames([by])} />
        <time dateTime={new Date(atMs).toISOString()} title={formats.moment(atMs)}>
          {formats.shortMoment(atMs, Date.now())}
        </time>
      </span>
      {undo !== null && (
        <UndoPart
          undo={undo}
          {...undoOf(undoing, id)}
          hrefOf={(other) => routeHref({ page: 'proposals', id: other })}
          size="small"
        />
      )}
    </li>
  );
}
