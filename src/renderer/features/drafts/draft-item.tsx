import { draftsStore } from '#renderer/stores/drafts/index.ts';
import { reviewStore } from '#renderer/stores/review/index.ts';
import { routeHref } from '#renderer/stores/ui/index.ts';
import { Button, Checkbox, ForeignText, Icon, Pill } from '#renderer/ui/index.ts';
import type { CampaignDraftView, CheckedCampaign } from '#shared/app-api/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import { draftInWords } from '#shared/drafts/index.ts';
import type { ReactElement } from 'react';
import { rehearsalWords, stateLook } from './check-words.ts';
import styles from './drafts.module.css';

export interface DraftItemProps {
  draft: CampaignDraftView;
  /** Result of the latest check. */
  checked: CheckedCampaign | undefined;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
  onRevert: () => void;
}

/** One drafted campaign: its changes in words, and what the check says of each. */
export function DraftItem(props: DraftItemProps): ReactElement {
  const { draft, checked, isSelected, onSelect, onRevert } = props;
  const { cid, name, fields, proposalId, returned } = draft;
  const title = name === '' ? (checked?.name ?? '') : name;
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <Checkbox hideLabel label={`Select campaign ${cid}`} checked={isSelected} onChange={onSelect} />
        <a className={styles.name} href={routeHref({ page: 'campaigns', cid, section: 'identity' })}>
          <ForeignText text={title === '' ? `Campaign ${cid}` : title} />
        </a>
        <span className={styles.cid}>ID {cid}</span>
        <span className={styles.state}>
          {proposalId !== null ? (
            <Pill tone="waiting" label="Awaiting your approval" />
          ) : (
            checked && <Pill {...stateLook(checked.state)} />
          )}
        </span>
        {proposalId === null ? (
          <Button
            size="small"
            kind="quiet"
            aria-label={`Revert the drafts of campaign ${cid}`}
            onClick={onRevert}
          >
            Revert
          </Button>
        ) : (
          <Button size="small" onClick={() => void reviewStore.getState().review(proposalId)}>
            Review again
          </Button>
        )}
      </div>
      <ul className={styles.changes}>
        {Object.entries(fields).map(([field, fieldDraft]) => {
          const found = checked?.fields.find((candidate) => candidate.field === field);
          return found === undefined ? (
            <li key={field} className={styles.change}>
              <ForeignText text={draftInWords(field, fieldDraft)} />
            </li>
          ) : (
            <CheckedChange key={field} cid={cid} checked={found} isHeld={proposalId !== null} />
          );
        })}
      </ul>
      {returned !== null && proposalId === null && (
        <p className={styles.note}>
          <Icon name="info" size={14} />
          <span>
            Came back: <ForeignText text={returned.reason} />
          </span>
        </p>
      )}
      {checked && <CheckNotes checked={checked} />}
    </li>
  );
}

type CheckedChangeProps = {
  cid: number;
  checked: CheckedCampaign['fields'][number];
  isHeld: boolean;
};

function CheckedChange({ cid, checked, isHeld }: CheckedChangeProps): ReactElement {
  const { field, state, words, message, notes } = checked;
  const label = fieldLabel(field);
  const settle = (keep: 'mine' | 'theirs'): void =>
    void draftsStore.getState().settleConflict({ cid, field, keep });
  return (
    <li className={styles.change}>
      <span className={styles.label}>
        <ForeignText text={label} />
      </span>
      {state === 'conflict' ? (
        <span className={styles.conflict} role="group" aria-label={`Conflict: ${label}`}>
          <span>
            Mine: <ForeignText text={words.mine} />. Theirs, now: <ForeignText text={words.theirs} />.
            Original: <ForeignText text={words.original} />.
          </span>
          {!isHeld && (
            <>
              <Button size="small" aria-label={`Take theirs: ${label}`} onClick={() => settle('theirs')}>
                Take theirs
              </Button>
              <Button size="small" aria-label={`Keep mine: ${label}`} onClick={() => settle('mine')}>
                Keep mine
              </Button>
            </>
          )}
        </span>
      ) : (
        <span className={styles.values}>
          <span className={styles.before}>
            <ForeignText text={words.theirs} />
          </span>{' '}
          <Icon name="arrow-right" size={12} />{' '}
          <strong>
            <ForeignText text={words.mine} />
          </strong>
          {state === 'same' && ' · no change'}
          {notes.map((note) => (
            <span key={note} className={styles.soft}>
              {' '}
              · <ForeignText text={note} />
            </span>
          ))}
        </span>
      )}
      {message !== null && (
        <span className={styles.wrong}>
          <ForeignText text={message} />
        </span>
      )}
    </li>
  );
}

/** Problems of the whole campaign, money at risk, and the rehearsal. */
function CheckNotes({ checked }: { checked: CheckedCampaign }): ReactElement {
  const { problems, perDay, rehearsal } = checked;
  return (
    <>
      {problems.map(({ field, severity, message }) => (
        <p key={`${field} ${message}`} className={styles.note} data-severity={severity}>
          <Icon name={severity === 'error' ? 'alert-circle' : 'warning'} size={14} />
          <span>
            {field !== null && (
              <>
                <ForeignText text={fieldLabel(field)} />:{' '}
              </>
            )}
            <ForeignText text={message} />
          </span>
        </p>
      ))}
      <p className={styles.facts}>
        {perDay !== null && perDay.before !== perDay.after && (
          <span>
            At risk per day: {perDay.before} → {perDay.after}
          </span>
        )}
        {rehearsal !== null && (
          <span className={rehearsal.kind === 'refused' ? styles.wrong : undefined}>
            <ForeignText text={rehearsalWords(rehearsal)} />
          </span>
        )}
      </p>
    </>
  );
}
