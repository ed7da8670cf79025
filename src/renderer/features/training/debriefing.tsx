import { type ReactElement, type ReactNode, useEffect } from 'react';
import { useStore } from 'zustand';
import { attemptStore, type Debriefing } from './stores/training-store.ts';
import { homeHref } from './stores/home-route.ts';
import {
  common,
  useFormats,
  cx,
  ForeignText,
  Icon,
  type IconName,
  PageFrame,
  type PillTone,
  QuotedText,
  FailureBanner,
  Loading,
  pages,
} from '#renderer/ui/index.ts';
import type { DebriefItem } from '#shared/app-api/index.ts';
import { costText, durationText, faultWords, missionWords, scoreSentence } from '#shared/training/index.ts';
import styles from './mission.module.css';
import shared from './training.module.css';

export function AttemptPage({ id }: { id: string }): ReactElement {
  return (
    <DebriefingPage
      id={id}
      actions={
        <a className={styles.back} href={homeHref({ page: 'progress' })}>
          All attempts
        </a>
      }
    />
  );
}

export function DebriefingPage({ id, actions }: { id: string; actions: ReactNode }): ReactElement {
  const formats = useFormats();
  const { debriefing, failure, open } = useStore(attemptStore);
  useEffect(() => void open(id), [id, open]);
  const isHere = debriefing?.attempt.id === id;
  const title = isHere ? `Debriefing: ${missionWords[debriefing.attempt.mission].title}` : 'Debriefing';
  return (
    <PageFrame
      title={title}
      count={isHere && formats.shortMoment(debriefing.attempt.endedAtMs, Date.now())}
      actions={actions}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it may scroll, and the keyboard scrolls only what can have the focus */}
      <div className={cx(pages.scroll, styles.debriefing)} tabIndex={0} role="region" aria-label={title}>
        {failure !== null && <FailureBanner failure={failure} onRetry={() => void open(id)} />}
        {isHere ? (
          <Result debriefing={debriefing} />
        ) : (
          failure === null && <Loading widths={['30%', '100%', '100%', '80%']} />
        )}
      </div>
    </PageFrame>
  );
}

const incompleteSentences = {
  discarded: 'You discarded this mission.',
  'ended-early': 'The mission ended before every change was proposed. Only proposed changes count.',
  edited: 'The files of this mission were changed outside Countersign, so none of its decisions count.',
} as const;

function Result({ debriefing: { attempt, items } }: { debriefing: Debriefing }): ReactElement {
  const formats = useFormats();
  const { score } = attempt;
  // A score needs at least one fault and one good change.
  const isScored = new Set(items.map(({ fault }) => fault === null)).size === 2;
  const missed = items.filter(({ verdict }) => verdict === 'missed');
  const cost = missed.reduce((sum, { fault }) => sum + (fault?.costPerDayMicros ?? 0), 0);
  return (
    <>
      <section className={styles.score} aria-label="Score">
        <p className={cx(common.soft, pages.tabular)}>
          <span className={cx(pages.bigTitle, styles.points)}>{isScored ? score.points : '–'}</span> of 100
          points
        </p>
        <div>
          <p className={pages.lead}>{scoreSentence(items, formats)}</p>
          {attempt.incomplete !== undefined && (
            <p className={cx(common.soft, pages.tabular)}>{incompleteSentences[attempt.incomplete]}</p>
          )}
          {cost > 0 && (
            <p className={cx(pages.tabular, styles.loss)}>
              What you missed would cost {costText(cost, formats)}.
            </p>
          )}
          <p className={cx(common.soft, pages.tabular)}>
            Points: share of faults caught × share of good changes let through.
          </p>
        </div>
        <dl className={cx(pages.framed, styles.counts)}>
          <Count term="Caught" value={String(score.caught)} />
          <Count term="Missed" value={String(score.missed)} />
          <Count term="False alarms" value={String(score.falseAlarms)} />
          <Count term="Fine" value={String(score.fine)} />
          <Count term="Undecided" value={String(score.undecided)} />
          <Count
            term="Time per decision"
            value={score.medianMs === null ? '–' : durationText(score.medianMs)}
          />
        </dl>
      </section>
      <ol className={common.stack3} aria-label="Decisions">
        {inOrder(items).map((item) => (
          <Item key={item.stepId} item={item} />
        ))}
      </ol>
    </>
  );
}

function inOrder(items: readonly DebriefItem[]): DebriefItem[] {
  return items.toSorted(
    (one, other) => verdictOrder.indexOf(one.verdict) - verdictOrder.indexOf(other.verdict),
  );
}

function Count({ term, value }: { term: string; value: string }): ReactElement {
  return (
    <div className={styles.count}>
      <dt className={common.quiet}>{term}</dt>
      <dd className={cx(common.heading, pages.tabular)}>{value}</dd>
    </div>
  );
}

function Item({ item }: { item: DebriefItem }): ReactElement {
  const { title, cid, proposals, agentSays, fault, verdict, decidedInMs, reason } = item;
  const { word, icon, tone } = verdictWords[verdict];
  const isFine = verdict === 'fine';
  const parts = [cid !== null && `Campaign ${cid}`, proposals > 1 && `${proposals} proposals`].filter(
    Boolean,
  );
  return (
    <li className={cx(pages.framed, styles.item, styles[tone], isFine && styles.fine)}>
      <div className={cx(common.stack, styles.verdict)}>
        <span className={cx(common.strong, shared.sign)}>
          <Icon name={icon} tone={tone} />
          {word}
        </span>
        <span className={cx(common.soft, pages.tabular)}>
          {decidedInMs === null ? 'No decision' : durationText(decidedInMs)}
        </span>
      </div>
      <div className={cx(common.stack1, styles.decision)}>
        <h2 className={cx(common.strong, common.breaks)}>
          <ForeignText text={title} />
        </h2>
        {parts.length > 0 && <p className={cx(common.soft, pages.tabular)}>{parts.join(' · ')}</p>}
        {!isFine && agentSays !== null && (
          <p className={common.breaks}>
            The agent said: <QuotedText text={agentSays} />
          </p>
        )}
        {reason !== null && (
          <p className={common.breaks}>
            Your reason: <QuotedText text={reason} />
          </p>
        )}
        {fault !== null && <FaultWords fault={fault} />}
      </div>
    </li>
  );
}

function FaultWords({ fault }: { fault: NonNullable<DebriefItem['fault']> }): ReactElement {
  const formats = useFormats();
  return (
    <dl
      className={cx(common.breaks, pages.tabular, styles.fault)}
      aria-label={`Planted fault: ${faultWords[fault.kind].title}`}
    >
      <dt>Planted fault</dt>
      <dd className={common.medium}>
        <ForeignText text={fault.what} />
      </dd>
      <dt>Where to see it</dt>
      <dd>
        <ForeignText text={fault.where ?? faultWords[fault.kind].hint} />
      </dd>
      {fault.costPerDayMicros !== null && (
        <>
          <dt>Cost</dt>
          <dd>{costText(fault.costPerDayMicros, formats)} at this campaign’s made-up traffic</dd>
        </>
      )}
    </dl>
  );
}

/** The order of the keys must be the order of decisions in a debriefing. */
const verdictWords: Readonly<
  Record<DebriefItem['verdict'], { word: string; icon: IconName; tone: PillTone }>
> = {
  missed: { word: 'Missed', icon: 'alert-circle', tone: 'bad' },
  'false-alarm': { word: 'False alarm', icon: 'warning', tone: 'waiting' },
  undecided: { word: 'Undecided', icon: 'minus', tone: 'neutral' },
  caught: { word: 'Caught', icon: 'check-circle', tone: 'good' },
  fine: { word: 'Fine', icon: 'check', tone: 'neutral' },
};

const verdictOrder = Object.keys(verdictWords);
