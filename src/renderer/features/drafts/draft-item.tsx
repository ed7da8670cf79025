import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { draftsStore } from '#renderer/stores/drafts/drafts-store.ts';
import { reviewStore } from '#renderer/stores/review-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import {
  useFormats,
  Button,
  ChangedText,
  Checkbox,
  cx,
  ForeignText,
  Icon,
  Pill,
  removeAndPassFocus,
  common,
  pages,
} from '#renderer/ui/index.ts';
import type { CampaignDraftView, CheckedCampaign } from '#shared/app-api/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import { draftedValuesInWords, type FieldDraft } from '#shared/drafts/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import { type ReactElement, type RefObject, useRef } from 'react';
import { useStore } from 'zustand';
import { forecastWords, reviewLook, stateLooks } from './check-words.ts';
import styles from './drafts.module.css';

interface DraftItemProps {
  draft: CampaignDraftView;
  checked: CheckedCampaign | undefined;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
  onRevert: () => void;
  afterLast: () => HTMLElement | null;
}

export function DraftItem(props: DraftItemProps): ReactElement {
  const { draft, checked, afterLast } = props;
  const { cid, fields, proposalId, returned } = draft;
  const link = useRef<HTMLAnchorElement>(null);
  return (
    <tbody className={styles.item}>
      <Head {...props} link={link} />
      {Object.entries(fields).map(([field, fieldDraft]) => {
        const found = checked?.fields.find((candidate) => candidate.field === field);
        const problems = checked?.problems.filter((problem) => problem.field === field) ?? [];
        return (
          <tr key={field} className={pages.selectable}>
            <th scope="row" colSpan={2} className={cx(styles.label, styles.inset)}>
              <ForeignText text={fieldLabel(field)} />
            </th>
            {found?.state === 'conflict' ? (
              <td colSpan={3}>
                <Conflict
                  cid={cid}
                  checked={found}
                  isHeld={proposalId !== null}
                  // A campaign leaves the list with its last draft.
                  afterChoice={(keep) =>
                    keep === 'theirs' && Object.keys(fields).length === 1 ? afterLast() : link.current
                  }
                />
              </td>
            ) : (
              <Values field={field} draft={fieldDraft} checked={found} problems={problems} />
            )}
          </tr>
        );
      })}
      <tr className={styles.notes}>
        <td colSpan={5} className={styles.inset}>
          {returned !== null && proposalId === null && (
            <p className={cx(common.quiet, styles.note)}>
              <Icon name="info" size={14} />
              <ForeignText text={returned.reason} />
            </p>
          )}
          {checked && <CheckNotes checked={checked} fields={fields} />}
        </td>
      </tr>
    </tbody>
  );
}

type HeadProps = DraftItemProps & { link: RefObject<HTMLAnchorElement | null> };

function Head(props: HeadProps): ReactElement {
  const { draft, checked, isSelected, onSelect, onRevert, afterLast, link } = props;
  const { cid, name, proposalId, proposalState } = draft;
  const title = name === '' ? (checked?.name ?? '') : name;
  const review = reviewLook(proposalState);
  return (
    <tr className={styles.head}>
      <td>
        <Checkbox hideLabel label={`Select campaign ${cid}`} checked={isSelected} onChange={onSelect} />
      </td>
      <th scope="rowgroup" colSpan={3}>
        <a
          ref={link}
          className={styles.name}
          href={routeHref({ page: 'campaigns', cid, section: 'identity' })}
        >
          <ForeignText text={title === '' ? `Campaign ${cid}` : title} />
        </a>{' '}
        <span className={styles.cid}>ID {cid}</span>
      </th>
      <td className={styles.state}>
        <span>
          {review !== null ? <Pill {...review} /> : checked && <Pill {...stateLooks[checked.state]} />}
          {proposalId === null && (
            <Button
              size="small"
              kind="quiet"
              aria-label={`Revert the drafts of campaign ${cid}`}
              data-removes="campaign"
              onClick={(event) => removeAndPassFocus(event.currentTarget, onRevert, afterLast)}
            >
              Revert
            </Button>
          )}
          {proposalId !== null && (
            <Button
              size="small"
              disabled={proposalState !== null && !isUndecided(proposalState)}
              onClick={() => void reviewStore.getState().review(proposalId)}
            >
              Review again
            </Button>
          )}
        </span>
      </td>
    </tr>
  );
}

interface ValuesProps {
  field: string;
  draft: FieldDraft;
  checked: CheckedCampaign['fields'][number] | undefined;
  problems: CheckedCampaign['problems'];
}

function Values({ field, draft, checked, problems }: ValuesProps): ReactElement {
  const formats = useFormats();
  const types = useStore(campaignsStore, (state) => state.types);
  const context = { types: Object.fromEntries(types.map((type) => [type.code, type])) };
  const { before, after } =
    checked === undefined
      ? draftedValuesInWords(field, draft, context, formats)
      : { before: checked.words.theirs, after: checked.words.mine };
  return (
    <>
      <td className={common.soft}>
        <ChangedText text={before} other={after} />
      </td>
      <td colSpan={2}>
        <span className={common.medium}>
          <ChangedText text={after} other={before} />
        </span>
        {checked?.state === 'same' && <span className={common.soft}> · no change</span>}
        {checked?.notes.map((note) => (
          <span key={note} className={common.soft}>
            {' '}
            · <ForeignText text={note} />
          </span>
        ))}
        {checked !== undefined && checked.message !== null && (
          <Problem problem={{ field, severity: 'error', message: checked.message }} />
        )}
        {problems.map((problem) => (
          <Problem key={problem.message} problem={problem} />
        ))}
      </td>
    </>
  );
}

type ConflictProps = {
  cid: number;
  checked: CheckedCampaign['fields'][number];
  isHeld: boolean;
  afterChoice: (keep: 'mine' | 'theirs') => HTMLElement | null;
};

function Conflict({ cid, checked, isHeld, afterChoice }: ConflictProps): ReactElement {
  const { field, theirs = null, words, message } = checked;
  const label = fieldLabel(field);
  function settle(keep: 'mine' | 'theirs'): void {
    afterChoice(keep)?.focus();
    const choice = keep === 'mine' ? { keep, theirs } : { keep };
    void draftsStore.getState().settleConflict({ cid, field, ...choice });
  }
  return (
    <>
      <span className={styles.conflict} role="group" aria-label={`Conflict: ${label}`}>
        <span>
          Mine: <ForeignText text={words.mine} />. Theirs, now: <ForeignText text={words.theirs} />. Original:{' '}
          <ForeignText text={words.original} />.
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
      {message !== null && <Problem problem={{ field, severity: 'error', message }} />}
    </>
  );
}

function Problem({ problem }: { problem: CheckedCampaign['problems'][number] }): ReactElement {
  const { severity, message } = problem;
  return (
    <p className={cx(common.small, styles.problem)} data-severity={severity}>
      <Icon name={severity === 'error' ? 'alert-circle' : 'warning'} size={14} />
      <ForeignText text={message} />
    </p>
  );
}

function CheckNotes(props: { checked: CheckedCampaign; fields: CampaignDraftView['fields'] }): ReactElement {
  const { problems, perDay, forecast } = props.checked;
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
      <p className={cx(common.quiet, styles.facts)}>
        {perDay !== null && perDay.before !== perDay.after && (
          <span>
            At risk per day: {perDay.before} → {perDay.after}
          </span>
        )}
        {forecast !== null && <span>{forecastWords(forecast)}</span>}
      </p>
    </>
  );
}
