import { memo, type ReactElement } from 'react';
import type { ChangeView, MoneyPair } from '#shared/campaign/index.ts';
import { appendDay, perDayWords, batchCountText, targetCount } from '#shared/wording/index.ts';
import { type ProposalState, isUndecided } from '#shared/proposals/states.ts';
import { Becomes } from '../display/icon.tsx';
import { ScheduleGrid } from '../display/diff.tsx';
import { ForeignText, LongText, QuotedText } from '../display/values.tsx';
import { LongList } from '../layout/virtual-list.tsx';
import { type ListedTargets, Rule, TargetList, type TargetView } from './changes.tsx';
import styles from './request.module.css';
import { StatePill } from './verdicts.tsx';
import { type WarningLine, WarningLines } from './warnings.tsx';
import { useFormats } from '../formats.ts';
import common from '../styles/common.module.css';

export interface BatchContentProps {
  batch: {
    members: readonly MemberView[];
    /** Present if all members are status changes, which are drawn as one change. */
    campaignCount?: number;
    skipped: readonly { what: string; because: string }[];
  };
  targets?: readonly TargetView[];
  listed?: ListedTargets | undefined;
  hrefOf?: (id: string) => string;
}

export function BatchContent(props: BatchContentProps): ReactElement {
  const { batch, targets = [], listed, hrefOf } = props;
  const formats = useFormats();
  const { members, skipped, campaignCount } = batch;
  const isOne = campaignCount !== undefined;
  return (
    <>
      {isOne && (targets.length > 0 || listed !== undefined) && (
        <section aria-label="What changes">
          <Rule title="What changes" aside={targetCount(listed ?? targets, formats)} />
          <TargetList targets={targets} listed={listed} />
        </section>
      )}
      {(!isOne || members.some(({ state }) => !isUndecided(state))) && (
        <section aria-label={isOne ? 'Results' : 'What changes'}>
          <Rule title={isOne ? 'Results' : 'What changes'} aside={batchCountText(members, formats)} />
          <MemberList members={members} isBrief={isOne} hrefOf={hrefOf} />
        </section>
      )}
      {skipped.length > 0 && (
        <section aria-label="Not included">
          <Rule title="Not included" aside={String(skipped.length)} />
          <LongList
            label="Not included"
            items={skipped}
            keyOf={({ what }) => what}
            estimatedHeight={28}
            itemClass={() => styles.skippedItem}
            render={({ what, because }) => (
              <>
                <ForeignText text={what} />{' '}
                <span className={common.soft}>
                  <ForeignText text={because} />
                </span>
              </>
            )}
          />
        </section>
      )}
    </>
  );
}

export interface MemberView {
  id: string;
  title: string;
  state: ProposalState;
  targets: readonly TargetView[];
  changes: readonly ChangeView[];
  quotation: string | null;
  perDay: MoneyPair;
  remarks: readonly WarningLine[];
  outcome: { message: string } | null;
}

export interface MemberListProps {
  members: readonly MemberView[];
  isBrief: boolean;
  hrefOf?: ((id: string) => string) | undefined;
}

const MemberList = memo(function MemberList({ members, isBrief, hrefOf }: MemberListProps): ReactElement {
  const isDecided = members.some(({ state }) => !isUndecided(state));
  return (
    <LongList
      label="Members"
      items={members}
      keyOf={({ id }) => id}
      estimatedHeight={45}
      itemClass={() => styles.member}
      render={(member) => (
        <>
          <span className={common.medium}>
            {hrefOf ? (
              <a href={hrefOf(member.id)}>
                <Name member={member} />
              </a>
            ) : (
              <Name member={member} />
            )}
          </span>
          <span className={styles.money}>{!isBrief && <PerDay {...member.perDay} />}</span>
          <span className={styles.changes}>
            {!isOfSeveral(member) &&
              member.changes.map((change) => <Change key={change.field} change={change} />)}
          </span>
          <span className={styles.state}>{isDecided && <StatePill state={member.state} />}</span>
          {isOfSeveral(member) && !isBrief && (
            <div className={styles.targets}>
              <TargetList targets={member.targets} />
            </div>
          )}
          {member.remarks.length > 0 && (
            <div className={styles.remarks}>
              <WarningLines warnings={member.remarks} label="About this change" />
            </div>
          )}
          {member.quotation !== null && (
            <span className={styles.memberQuotation}>
              <QuotedText text={member.quotation} />
            </span>
          )}
          {member.outcome && (
            <span className={styles.outcome}>
              <ForeignText text={member.outcome.message} />
            </span>
          )}
        </>
      )}
    />
  );
});

const isOfSeveral = ({ targets }: MemberView): boolean => targets.length > 1;

function Name({ member }: { member: MemberView }): ReactElement {
  const [only, second] = member.targets;
  if (only === undefined || second !== undefined) return <ForeignText text={member.title} />;
  return (
    <>
      <ForeignText text={only.name} /> <span className={styles.cid}>{only.cid}</span>
    </>
  );
}

function Change({ change }: { change: ChangeView }): ReactElement {
  const { label, before, after, schedule, isNamedInFull = false } = change;
  const [added, removed] = isNamedInFull ? [[], []] : [change.added, change.removed];
  const sizes = [change.delta, change.factor].filter((size) => size !== null);
  return (
    <span>
      <span className={common.soft}>
        <ForeignText text={label} />
      </span>{' '}
      <LongText text={before} /> <Becomes />{' '}
      <strong>
        <LongText text={after} />
      </strong>
      {sizes.length > 0 && <span className={common.neutral}> {sizes.join(' ')}</span>}
      <Members sign="−" members={removed} />
      <Members sign="+" members={added} />
      {schedule && <ScheduleGrid before={schedule.before} hours={schedule.after} />}
    </span>
  );
}

function Members({ sign, members }: { sign: string; members: readonly string[] }): ReactElement | null {
  if (members.length === 0) return null;
  return (
    <span className={common.neutral}>
      {' '}
      {sign} <LongText text={members.join(', ')} />
    </span>
  );
}

function PerDay(pair: MoneyPair): ReactElement {
  const { before, after } = pair;
  const words = perDayWords(pair, new Date().getFullYear());
  const isFreed = after.unlimited && !before.unlimited;
  return (
    <>
      {words.isChanged && (
        <>
          <span>{appendDay(before.text, words.before)}</span> <Becomes />{' '}
        </>
      )}
      <span className={isFreed ? styles.unlimited : undefined}>{appendDay(after.text, words.after)}</span>{' '}
      <span>{words.label}</span>
    </>
  );
}
