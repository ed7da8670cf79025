import { doctorStore } from '#renderer/stores/doctor/index.ts';
import { profilesStore } from '#renderer/stores/profiles/index.ts';
import { Banner, Button, EmptyState, PageFrame, ProfileSign } from '#renderer/ui/index.ts';
import { useEffect, type ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './doctor.module.css';
import { Step } from './step.tsx';
import { VerdictHead } from './verdict-head.tsx';

/** What the service of one profile does, step by step, and the one thing to do about what it does not. */
export function DoctorView({ profileId }: { profileId: string }): ReactElement {
  const { report, failure, examine } = useStore(doctorStore);
  const profile = useStore(profilesStore, ({ list }) => list?.items.find(({ id }) => id === profileId));
  useEffect(() => doctorStore.getState().start(), []);
  const shown = report?.profileId === profileId ? report : null;
  return (
    <PageFrame title="Doctor" count={profile && <ProfileSign kind={profile.kind} name={profile.name} />}>
      {failure && (
        <Banner flush tone="danger" title={failure.message}>
          {failure.next}
        </Banner>
      )}
      {shown === null ? (
        <EmptyState
          icon="doctor"
          title="Examine this service"
          action={
            <Button kind="primary" onClick={() => void examine(profileId)}>
              Examine
            </Button>
          }
        >
          Countersign asks the service everything that the contract promises, by reads alone, and says what
          works and what to do about what does not. Nothing is changed.
        </EmptyState>
      ) : (
        <div className={styles.scroll}>
          <VerdictHead report={shown} />
          <ol className={styles.steps} aria-label="Steps of the examination">
            {shown.steps.map((step) => (
              <Step key={step.id} step={step} />
            ))}
          </ol>
        </div>
      )}
    </PageFrame>
  );
}
