import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { trainingStore } from '#renderer/stores/training/index.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { Button, Icon } from '#renderer/ui/index.ts';
import type { WorkspaceView } from '#shared/app-api/index.ts';
import { missionWords } from '#shared/training/index.ts';
import styles from './training-mission.module.css';

export type MissionView = Extract<WorkspaceView, { kind: 'mission' }>;

/** Begins, on the page where its proposals arrive. */
async function start(begin: () => Promise<void>): Promise<void> {
  uiStore.getState().navigate({ page: 'proposals', id: null });
  await begin();
}

/** The briefing: three sentences, and the button after which the agent begins. */
export function Briefing({ mission }: { mission: MissionView }): ReactElement {
  const { doing, begin } = useStore(trainingStore);
  return (
    <div className={styles.stage}>
      <article className={styles.briefing} aria-label="Briefing">
        <p className={styles.kicker}>
          <Icon name="training" size={14} />
          Mission briefing
        </p>
        <h1 className={styles.briefingTitle}>{missionWords[mission.mission].title}</h1>
        <ol className={styles.sentences}>
          {mission.briefing.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ol>
        <div className={styles.begin}>
          <Button
            kind="primary"
            size="large"
            icon="play"
            disabled={doing !== null}
            onClick={() => void start(begin)}
          >
            Begin
          </Button>
          <span className={styles.soft}>The agent starts at once.</span>
        </div>
      </article>
    </div>
  );
}
