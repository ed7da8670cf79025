import type { ProposalSummary } from '#shared/app-api/index.ts';
import { perDayText } from '#shared/campaign/index.ts';
import type { ReactElement } from 'react';
import {
  askerNames,
  Countdown,
  ForeignText,
  Icon,
  ListLink,
  momentText,
  ProfileSign,
  QuotedText,
  shortMomentText,
  StatePill,
} from '#renderer/ui/index.ts';
import styles from './proposals.module.css';

export interface ProposalItemProps {
  summary: ProposalSummary;
  href: string;
  selected: boolean;
  /** The profile in front, whose proposals need no sign; null while it is not known. */
  currentProfileId: string | null;
  /** Why it is not decided together with others, in a few words. */
  mark?: string | null;
}

const undecided = new Set<ProposalSummary['state']>(['proposed', 'shown']);

/** One proposal in the list: what it is, where it stands, who asked, the money per day. */
export function ProposalItem(props: ProposalItemProps): ReactElement {
  const { summary, href, selected, currentProfileId, mark = null } = props;
  const { profile, askedBy } = summary;
  const { id, title, state, operation, proposedBy, worstWarning, perDay, createdAtMs, expiresAtMs } = summary;
  return (
    <li>
      <ListLink id={`proposal-${id}`} href={href} className={styles.item} selected={selected}>
        <span className={styles.itemTitle} title={title}>
          <ForeignText text={title} />
        </span>
        {mark !== null && <span className={styles.mark}>{mark}</span>}
        {currentProfileId !== null && profile.id !== currentProfileId && (
          <span className={styles.profile}>
            <ProfileSign kind={profile.kind} name={profile.name} framed />
          </span>
        )}
        {proposedBy.kind === 'agent' && (
          <span className={styles.agent}>
            by <QuotedText text={proposedBy.name} /> (agent)
          </span>
        )}
        {proposedBy.kind === 'schedule' && (
          <span className={styles.agent}>
            by schedule <QuotedText text={proposedBy.name} />
          </span>
        )}
        {askedBy?.some(({ kind }) => kind === 'agent') === true && (
          <span className={styles.agent}>
            by <ForeignText text={askerNames(askedBy)} />
          </span>
        )}
        <span className={styles.itemFacts}>
          <StatePill state={state} operation={operation} />
          {worstWarning !== null && worstWarning !== 'notice' && (
            <span className={styles[worstWarning]} title={worstWarning === 'danger' ? 'Danger' : 'Warning'}>
              <Icon name={worstWarning === 'danger' ? 'alert-circle' : 'warning'} size={14} />
            </span>
          )}
          {operation !== 'agent.admit' && (
            <span className={styles.itemMoney}>{perDayText(perDay, new Date().getFullYear())}</span>
          )}
          <span className={styles.when} title={momentText(createdAtMs)}>
            {undecided.has(state) ? (
              <>
                <Countdown untilMs={expiresAtMs} /> left
              </>
            ) : (
              shortMomentText(createdAtMs, Date.now())
            )}
          </span>
        </span>
      </ListLink>
    </li>
  );
}
