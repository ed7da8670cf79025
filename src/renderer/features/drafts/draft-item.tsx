import { campaignsStore } from '#renderer/stores/campaigns/index.ts';
import { draftsStore } from '#renderer/stores/drafts/index.ts';
import { reviewStore } from '#renderer/stores/review/index.ts';
import { routeHref } from '#renderer/stores/ui/index.ts';
import {
  useFormats,
  Button,
  Checkbox,
  ForeignText,
  Icon,
  LinkButton,
  Pill,
  removeAndPassFocus,
} from '#renderer/ui/index.ts';
import type { CampaignDraftView, CheckedCampaign } from '#shared/app-api/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import { draftInWords } from '#shared/drafts/index.ts';
import { quotedStart } from '#shared/lib/inert-text.ts';
import { type ReactElement, useRef } from 'react';
import { useStore } from 'zustand';
import { rehearsalWords, stateLook } from './check-words.ts';
import styles from './drafts.module.css';

export interface DraftItemProps {
  draft: CampaignDraftView;
  /** Result of the latest check. */
  checked: CheckedCampaign | undefined;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
  onRevert: () => void;
  /** Finds the control that gets the focus of the last Revert. */
  afterLast: () => HTMLElement | null;
}

/** One drafted campaign: its changes in words, and what the check says of each. */
export function DraftItem(props: DraftItemProps): ReactElement {
  const formats = useFormats();
  const { draft, checked, isSelected, onSelect, onRevert, afterLast } = props;
  const { cid, name, fields, proposalId, returned } = draft;
  const types = useStore(campaignsStore, (state) => state.types);
  const context = { types: Object.fromEntries(types.map((type) => [type.code, type])) };
  const link = useRef<HTMLAnchorElement>(null);
  const title = name === '' ? (checked?.name ?? '') : name;
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <Checkbox hideLabel label={`Select campaign ${cid}`} checked={isSelected} onChange={onSelect} />
        <a
          ref={link}
          className={styles.name}
          href={routeHref({ page: 'campaigns', cid, section: 'identity' })}
        >
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
            data-removes="campaign"
            onClick={(event) => removeAndPassFocus(event.currentTarget, onRevert, afterLast)}
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
          return (
            <li key={field} className={styles.change}>
              {found === undefined ? (
                <span className={styles.drafted}>
                  <ForeignText text={draftInWords(field, fieldDraft, context, formats)} />
                </span>
              ) : (
                <CheckedChange
                  cid={cid}
                  checked={found}
                  isHeld={proposalId !== null}
                  // Without its only draft the campaign leaves the list.
                  afterChoice={(keep) =>
                    keep === 'theirs' && Object.keys(fields).length === 1 ? afterLast() : link.current
                  }
                />
              )}
              {proposalId === null && (
                <span className={styles.revert}>
                  <LinkButton
                    label={`Revert ${fieldLabel(field)} of campaign ${cid}`}
                    removes="field"
                    onClick={(event) =>
                      removeAndPassFocus(event.currentTarget, () => revertField(draft, field), afterLast)
                    }
                  >
                    Revert
                  </LinkButton>
                </span>
              )}
              {checked?.problems
                .filter((problem) => problem.field === field)
                .map((problem) => (
                  <Problem key={problem.message} problem={problem} />
                ))}
            </li>
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
      {checked && <CheckNotes checked={checked} fields={fields} />}
    </li>
  );
}

/** Takes back the draft of one field. */
function revertField({ cid, name }: CampaignDraftView, field: string): void {
  const of = name === '' ? `campaign ${cid}` : quotedStart(name, 80);
  draftsStore.getState().change(`${fieldLabel(field)} of ${of}`, [{ cid, field, draft: null }]);
}

type CheckedChangeProps = {
  cid: number;
  checked: CheckedCampaign['fields'][number];
  isHeld: boolean;
  /** Finds the control that gets the focus of a choice, whose buttons go. */
  afterChoice: (keep: 'mine' | 'theirs') => HTMLElement | null;
};

function CheckedChange({ cid, checked, isHeld, afterChoice }: CheckedChangeProps): ReactElement {
  const { field, state, theirs = null, words, message, notes } = checked;
  const label = fieldLabel(field);
  function settle(keep: 'mine' | 'theirs'): void {
    afterChoice(keep)?.focus();
    const choice = keep === 'mine' ? { keep, theirs } : { keep };
    void draftsStore.getState().settleConflict({ cid, field, ...choice });
  }
  return (
    <>
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
          {state === 'same' && <span> · no change</span>}
          {notes.map((note) => (
            <span key={note} className={styles.soft}>
              {' '}
              · <ForeignText text={note} />
            </span>
          ))}
        </span>
      )}
      {message !== null && <Problem problem={{ field, severity: 'error', message }} />}
    </>
  );
}

/** An error or a warning, at its field or of the whole campaign. */
function Problem({ problem }: { problem: CheckedCampaign['problems'][number] }): ReactElement {
  const { severity, message } = problem;
  return (
    <p className={styles.problem} data-severity={severity}>
      <Icon name={severity === 'error' ? 'alert-circle' : 'warning'} size={14} />
      <ForeignText text={message} />
    </p>
  );
}

/** Problems that are of no drafted field, money at risk, and the rehearsal. */
function CheckNotes(props: { checked: CheckedCampaign; fields: CampaignDraftView['fields'] }): ReactElement {
  const { problems, perDay, rehearsal } = props.checked;
  return (
    <>
      {problems
        .filter(({ field }) => field === null || !Object.hasOwn(props.fields, field))
        .map(({ field, severity, message }) => (
          <Problem
            key={`${field} ${message}`}
            problem={{
              field,
              severity,
              message: field === null ? message : `${fieldLabel(field)}: ${message}`,
            }}
          />
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
