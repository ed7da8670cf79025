import type { ReactElement } from 'react';
import type { ProposalGroup } from './stores/groups.ts';
import { reviewStore } from '#renderer/stores/review-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  useFormats,
  Button,
  Disclosure,
  ForeignText,
  Icon,
  ListLink,
  ProfileSign,
  QuotedText,
  StatePill,
  TimeLeft,
  useHasPassed,
  common,
  cx,
  pages,
} from '#renderer/ui/index.ts';
import type { ProposalSummary } from '#shared/app-api/index.ts';
import { perDayText, askerNames } from '#shared/wording/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import styles from './proposals.module.css';

interface ProposalItemProps {
  summary: ProposalSummary;
  href: string;
  selected: boolean;
  /** The active profile, whose proposals need no sign; null while it is not known. */
  currentProfileId: string | null;
  mark?: string | null;
}

export function ProposalItem(props: ProposalItemProps): ReactElement {
  const formats = useFormats();
  const { summary, href, selected, currentProfileId, mark = null } = props;
  const { profile, askedBy } = summary;
  const { id, title, state, operation, proposedBy, worstWarning, perDay, createdAtMs, expiresAtMs } = summary;
  const needsPreparing = useHasPassed(summary.approvalEndsAtMs) && isUndecided(state);
  return (
    <li>
      <ListLink id={`proposal-${id}`} href={href} className={styles.item} selected={selected}>
        <span className={cx(common.medium, styles.itemTitle)} title={title}>
          <ForeignText text={title} />
        </span>
        {mark !== null && <span className={styles.mark}>{mark}</span>}
        {needsPreparing && <span className={styles.mark}>The service’s approval has ended</span>}
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
            <span className={common.neutral}>{perDayText(perDay, new Date().getFullYear())}</span>
          )}
          <span className={styles.when} title={formats.moment(createdAtMs)}>
            {isUndecided(state) ? (
              <TimeLeft untilMs={expiresAtMs} />
            ) : (
              formats.shortMoment(createdAtMs, Date.now())
            )}
          </span>
        </span>
      </ListLink>
    </li>
  );
}

interface GroupItemProps {
  group: ProposalGroup;
  open: boolean;
  onToggle: (open: boolean) => void;
  selectedId: string | null;
  currentProfileId: string | null;
}

/** Changes that are equal: decided together in one confirmation that lists them all, or one by one. */
export function GroupItem(props: GroupItemProps): ReactElement {
  const formats = useFormats();
  const { group, open, onToggle, selectedId, currentProfileId } = props;
  const { title, members, perDay, alwaysUnlimited, afterBatch } = group;
  const count = members.length;
  return (
    <li className={styles.group} aria-label={`${title}: ${formats.counted(count, 'change')}`}>
      <div className={cx(common.stack1, styles.groupHead)}>
        <span className={cx(common.strong, common.breaks)}>
          <ForeignText text={title} />
        </span>
        <span className={styles.groupFacts}>
          <span>{formats.counted(count, 'equal change')}</span>
          <span>
            by <ForeignText text={askerNames(members.map(({ proposedBy }) => proposedBy))} />
          </span>
          <span className={cx(common.neutral, pages.tabular)}>
            together {perDayText(perDay, new Date().getFullYear())}
            {alwaysUnlimited > 0 && (
              <span>{`, plus ${alwaysUnlimited} that ${alwaysUnlimited === 1 ? 'stays' : 'stay'} unlimited`}</span>
            )}
          </span>
        </span>
        {afterBatch && (
          <span className={styles.small}>Arrived later; not included in the batch of this change.</span>
        )}
        <span>
          <Button kind="primary" size="small" onClick={() => void reviewTogether(members)}>
            Review {count} together
          </Button>
        </span>
      </div>
      <div className={styles.members}>
        <Disclosure title="Show each change" aside={String(count)} open={open} onToggle={onToggle}>
          {open && (
            <ul>
              {members.map((member) => (
                <ProposalItem
                  key={member.id}
                  summary={member}
                  href={routeHref({ page: 'proposals', id: member.id })}
                  selected={member.id === selectedId}
                  currentProfileId={currentProfileId}
                />
              ))}
            </ul>
          )}
        </Disclosure>
      </div>
    </li>
  );
}

/** In the order of the list. The batch opens beside the list as well. */
async function reviewTogether(members: readonly ProposalSummary[]): Promise<void> {
  const goOn = uiStore.getState().fromHere();
  const id = await reviewStore.getState().reviewTogether(members.map((member) => member.id));
  if (id !== null) goOn({ page: 'proposals', id });
}
