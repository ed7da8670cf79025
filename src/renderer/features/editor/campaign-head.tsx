import { uiStore } from '#renderer/stores/ui.ts';
import {
  useFormats,
  Button,
  EmptyState,
  ForeignText,
  Pill,
  Skeleton,
  StatusPill,
} from '#renderer/ui/index.ts';
import { valueInWords } from '#shared/campaign/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import type { ReactElement } from 'react';
import { type Editing, storedWords } from './editing.ts';
import styles from './editor.module.css';
import { ReadAgain } from './notices.tsx';

/** Name, status, id and type of the open campaign, as they are stored. */
export function CampaignFacts(props: { cid: number; editing: Editing | null; level: 1 | 2 }): ReactElement {
  const formats = useFormats();
  const { cid, editing, level } = props;
  const Heading = `h${level}` as const;
  return (
    <div className={styles.heading}>
      <Heading className={styles.name} tabIndex={-1}>
        {editing ? <ForeignText text={storedWords(editing, 'name', formats)} /> : `Campaign ${cid}`}
      </Heading>
      <div className={styles.facts}>
        {editing && <StatusPill framed status={Number(editing.campaign['status'])} />}
        <span>ID {cid}</span>
        {editing && (
          <ForeignText text={valueInWords('type', editing.campaign['type'], editing.context, formats)} />
        )}
        {editing && editing.changed.length > 0 && <Pill framed tone="busy" label="Edited" />}
      </div>
    </div>
  );
}

/** Nothing of the campaign could be read: why, and the next step. */
export function NotRead({ cid, failure }: { cid: number; failure: AppError }): ReactElement {
  const gone = failure.code === 'campaign_not_found';
  const again = <ReadAgain cid={cid} code={failure.code} />;
  const list = (
    <Button onClick={() => uiStore.getState().navigate({ page: 'campaigns', cid: null })}>
      Back to the list
    </Button>
  );
  return (
    <EmptyState icon={gone ? 'search-none' : 'offline'} title={failure.message} action={gone ? list : again}>
      {failure.next}
    </EmptyState>
  );
}

export function LoadingCampaign(): ReactElement {
  return (
    <div className={styles.loading} aria-busy>
      {['40%', '100%', '100%', '64%', '80%', '52%', '70%'].map((width, index) => (
        <Skeleton key={index} width={width} />
      ))}
    </div>
  );
}
