import { type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import { trainingStore } from './stores/training-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  cx,
  common,
  useFormats,
  Button,
  Countdown,
  Dialog,
  Icon,
  Question,
  pages,
} from '#renderer/ui/index.ts';
import type { WorkspaceView } from '#shared/app-api/index.ts';
import { missionWords } from '#shared/training/index.ts';
import styles from './mission.module.css';
import shared from './training.module.css';

export type MissionView = Extract<WorkspaceView, { kind: 'mission' }>;

async function startAgent(begin: () => Promise<void>): Promise<void> {
  uiStore.getState().navigate({ page: 'proposals', id: null });
  await begin();
}

export function Briefing({ mission }: { mission: MissionView }): ReactElement {
  const { doing, begin } = useStore(trainingStore);
  return (
    <div className={styles.stage}>
      <article className={cx(common.stack4, styles.briefing)} aria-label="Briefing">
        <p className={cx(common.medium, shared.sign, shared.violet)}>
          <Icon name="training" size={14} />
          Mission briefing
        </p>
        <h1 className={pages.bigTitle}>{missionWords[mission.mission].title}</h1>
        <ol className={cx(common.stack3, pages.lead, pages.selectable)}>
          {mission.briefing.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ol>
        <div className={cx(pages.row4, styles.begin)}>
          <Button
            kind="primary"
            size="large"
            icon="play"
            disabled={doing !== null}
            onClick={() => void startAgent(begin)}
          >
            Begin
          </Button>
          <span className={common.soft}>The agent starts at once.</span>
        </div>
      </article>
    </div>
  );
}

export function MissionBar({ mission }: { mission: MissionView }): ReactElement {
  const { doing, leave } = useStore(trainingStore);
  return (
    <section className={styles.bar} aria-label="Mission">
      <span className={cx(common.strong, shared.sign, shared.violet)}>
        <Icon name="training" size={14} />
        {missionWords[mission.mission].title}
      </span>
      <Progress mission={mission} />
      <span className={cx(common.wrap2, styles.actions)}>
        {mission.phase === 'running' && (
          <>
            <BriefingAgain mission={mission} />
            <Finish mission={mission} />
          </>
        )}
        <Button size="small" disabled={doing !== null} onClick={() => void leave()}>
          Leave
        </Button>
      </span>
    </section>
  );
}

function Progress({ mission: { phase, decided, total, endsAtMs } }: { mission: MissionView }): ReactElement {
  if (phase === 'briefing') return <span className={common.neutral}>Read the briefing, then begin</span>;
  return (
    <>
      <progress
        className={styles.missionProgress}
        value={decided}
        max={Math.max(1, total)}
        aria-label="Decided"
      />
      <span className={pages.tabular} role="status">
        {decided} of {total} decided
      </span>
      {endsAtMs !== null && (
        <span className={cx(common.medium, pages.tabular, shared.sign)}>
          <Icon name="clock" size={14} />
          <Countdown untilMs={endsAtMs} /> left
        </span>
      )}
    </>
  );
}

function BriefingAgain({ mission }: { mission: MissionView }): ReactElement {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="small" icon="note" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        Briefing
      </Button>
      {isOpen && (
        <Dialog title={`Briefing: ${missionWords[mission.mission].title}`} onClose={() => setIsOpen(false)}>
          <ol className={cx(common.stack2, pages.selectable)}>
            {mission.briefing.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ol>
        </Dialog>
      )}
    </>
  );
}

function Finish({ mission: { decided, total } }: { mission: MissionView }): ReactElement {
  const formats = useFormats();
  const { doing, finish } = useStore(trainingStore);
  const [asks, setAsks] = useState(false);
  const left = total - decided;
  return (
    <>
      <Button
        size="small"
        kind={left === 0 ? 'primary' : 'secondary'}
        disabled={doing !== null}
        onClick={() => (left === 0 ? void finish() : setAsks(true))}
      >
        Finish mission
      </Button>
      {asks && (
        <Question
          title="Finish now?"
          stay="Keep deciding"
          confirmLabel="Finish mission"
          onStay={() => setAsks(false)}
          onConfirm={() => {
            setAsks(false);
            void finish();
          }}
        >
          <p>{formats.counted(left, 'change is', 'changes are')} not decided or not proposed yet.</p>
        </Question>
      )}
    </>
  );
}

export function PracticeBar({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }): ReactElement {
  const { doing, leave } = useStore(trainingStore);
  return (
    <section className={styles.bar} aria-label="Free practice">
      <span className={cx(common.strong, shared.sign, shared.violet)}>
        <Icon name="training" size={14} />
        Free practice
      </span>
      <span className={common.neutral}>Not scored</span>
      <span className={cx(common.wrap2, styles.actions)}>
        <Button size="small" icon="panel" aria-expanded={isOpen} onClick={onToggle}>
          Control panel
        </Button>
        <Button size="small" disabled={doing !== null} onClick={() => void leave()}>
          Leave
        </Button>
      </span>
    </section>
  );
}
