import { type ReactElement, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { trainingStore } from './stores/training-store.ts';
import {
  common,
  useFormats,
  Banner,
  Button,
  cx,
  Dialog,
  DialogFoot,
  Icon,
  PageFrame,
  pages,
} from '#renderer/ui/index.ts';
import type { TrainingHome } from '#shared/app-api/index.ts';
import { type MissionId, missionWords, singleChangeMissions } from '#shared/training/index.ts';
import styles from './training.module.css';

type Mission = TrainingHome['missions'][number];

const singleChanges: ReadonlySet<MissionId> = new Set(singleChangeMissions);

const firstMission: MissionId = 'bids';

/** Before the first attempt, the page offers one step and recommends nothing else. */
export function MissionsPage({ home }: { home: TrainingHome }): ReactElement {
  const isNew = home.attempts.length === 0;
  const missions = isNew
    ? home.missions.map((mission) => ({ ...mission, isRecommended: false }))
    : home.missions;
  const played = home.missions.filter(({ attempts }) => attempts > 0).length;
  const ofChanges = missions.filter(({ id }) => singleChanges.has(id));
  const situations = missions.filter(({ id }) => !singleChanges.has(id));
  return (
    <PageFrame title="Missions" count={`${played} of ${home.missions.length} played`}>
      <div className={cx(common.stack, pages.scroll, styles.column)}>
        {isNew && home.left === null && <FirstMission />}
        <LeftNotice left={home.left} />
        <MissionGroup title="Single changes" missions={ofChanges} />
        <MissionGroup title="Situations" missions={situations} />
        <FreePractice />
      </div>
      <LeftQuestion left={home.left} />
    </PageFrame>
  );
}

/** Takes the focus, because the field of the name, which had it, is gone. */
function FirstMission(): ReactElement {
  const { doing, startMission } = useStore(trainingStore);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <section
      className={cx(pages.framed, common.spread, pages.wrap, styles.offer, styles.first)}
      aria-label="First mission"
    >
      <div>
        <p className={cx(common.medium, styles.violet)}>Your first mission</p>
        <h2 className={cx(pages.title, styles.firstTitle)}>{missionWords[firstMission].title}</h2>
        <p className={common.neutral}>Approve or deny the bids of an agent. About five minutes.</p>
      </div>
      <Button
        ref={button}
        kind="primary"
        size="large"
        icon="play"
        disabled={doing !== null}
        onClick={() => void startMission(firstMission)}
      >
        Start first mission
      </Button>
    </section>
  );
}

function LeftNotice({ left }: Pick<TrainingHome, 'left'>): ReactElement | null {
  const formats = useFormats();
  const { doing, resume, discard } = useStore(trainingStore);
  if (left === null) return null;
  return (
    <Banner
      tone="info"
      icon="clock"
      title={`${nameOf(left.mission)} is not finished.`}
      actions={
        <>
          <Button size="small" kind="primary" disabled={doing !== null} onClick={() => void resume()}>
            Resume
          </Button>
          <Button size="small" disabled={doing !== null} onClick={() => void discard()}>
            Discard
          </Button>
        </>
      }
    >
      Last open: {formats.shortMoment(left.atMs, Date.now())}.{' '}
      {left.mission === null
        ? 'Starting something else deletes it.'
        : 'Discarding it, or starting something else, counts as a discarded attempt.'}
    </Banner>
  );
}

function LeftQuestion({ left }: Pick<TrainingHome, 'left'>): ReactElement | null {
  const { question, resume, startAnyway, keepLeft } = useStore(trainingStore);
  if (question === null || left === null) return null;
  const isPractice = left.mission === null;
  return (
    <Dialog title={`${nameOf(left.mission)} is not finished`} onClose={keepLeft}>
      <div className={cx(common.stack, styles.question)}>
        <p>
          {isPractice
            ? 'Its campaigns, proposals, ledger and saved states are deleted if you start '
            : 'What you decided so far counts as a discarded attempt, and the rest is deleted, if you start '}
          {question.start === left.mission ? 'again' : nameOf(question.start).replace('Free', 'free')}. This
          cannot be undone.
        </p>
        <DialogFoot>
          <Button onClick={keepLeft}>Cancel</Button>
          <Button kind="danger" onClick={() => void startAnyway()}>
            Delete and start
          </Button>
          <Button kind="primary" data-autofocus onClick={() => void resume()}>
            {isPractice ? 'Resume free practice' : 'Resume mission'}
          </Button>
        </DialogFoot>
      </div>
    </Dialog>
  );
}

function nameOf(mission: MissionId | null): string {
  return mission === null ? 'Free practice' : `“${missionWords[mission].title}”`;
}

function MissionGroup({ title, missions }: { title: string; missions: readonly Mission[] }): ReactElement {
  // The sort is stable, so that missions keep their relative order.
  const ordered = missions.toSorted((one, other) => Number(other.isRecommended) - Number(one.isRecommended));
  return (
    <section className={common.stack3} aria-label={title}>
      <h2 className={common.heading}>{title}</h2>
      <ul className={styles.grid}>
        {ordered.map((mission) => (
          <MissionCard key={mission.id} mission={mission} />
        ))}
      </ul>
    </section>
  );
}

function MissionCard({ mission: { id, best, attempts, isRecommended } }: { mission: Mission }): ReactElement {
  const formats = useFormats();
  const { doing, startMission } = useStore(trainingStore);
  const { title, summary } = missionWords[id];
  return (
    <li className={cx(common.stack1, pages.framed, styles.mission, isRecommended && styles.recommended)}>
      <div className={styles.missionHead}>
        <h3 className={common.strong}>{title}</h3>
        {isRecommended && (
          <span className={cx(common.medium, styles.mark)}>
            <Icon name="start" size={12} />
            Recommended
          </span>
        )}
      </div>
      <p className={cx(isRecommended ? common.neutral : common.soft, styles.summary)}>{summary}</p>
      <div className={cx(common.spread, styles.missionFoot)}>
        <span className={cx(common.small, isRecommended ? common.neutral : common.soft)}>
          {attempts === 0
            ? 'Not played yet'
            : `${best === null ? 'Not completed' : `Best ${best} of 100`} · ${formats.counted(attempts, 'attempt')}`}
        </span>
        <Button
          size="small"
          icon="play"
          aria-label={`Start ${title}`}
          disabled={doing !== null}
          onClick={() => void startMission(id)}
        >
          Start
        </Button>
      </div>
    </li>
  );
}

function FreePractice(): ReactElement {
  const { doing, startPractice } = useStore(trainingStore);
  return (
    <section className={common.stack3} aria-label="Free practice">
      <div className={cx(pages.framed, common.spread, pages.wrap, styles.offer)}>
        <div>
          <h2 className={common.heading}>Free practice</h2>
          <p className={common.soft}>
            Use the whole app on a practice service: move its clock, make it fail, choose how the agent
            behaves. No score.
          </p>
        </div>
        <Button icon="play" disabled={doing !== null} onClick={() => void startPractice()}>
          Start free practice
        </Button>
      </div>
    </section>
  );
}
