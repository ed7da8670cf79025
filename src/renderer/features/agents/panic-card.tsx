import { panicStore } from '#renderer/stores/agents/index.ts';
import { Banner, Button, Card, momentText, shortMomentText } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './agents.module.css';
import { PanicSetChoice } from './panic-set-choice.tsx';

/** The emergency stop: what it does, which campaigns it pauses, and the way back. */
export function PanicCard(): ReactElement {
  const { view, failure, refusal, doing, start, resume } = useStore(panicStore);
  // What came of starting and resuming stands over every page.
  const wrong = refusal?.of === 'save' ? refusal.failure : failure;
  return (
    <Card
      level={2}
      title="Emergency stop"
      actions={
        <>
          <Button kind="danger" icon="emergency-stop" disabled={doing !== null} onClick={() => void start()}>
            {doing === 'start' ? 'Freezing and preparing…' : 'Emergency stop…'}
          </Button>
          {view?.paused && (
            <Button icon="play" disabled={doing !== null} onClick={() => void resume()}>
              {doing === 'resume' ? 'Preparing…' : 'Resume campaigns…'}
            </Button>
          )}
        </>
      }
    >
      <p className={styles.soft}>
        Freezes all agents at once, withdraws what they have waiting, and prepares one pause of the campaigns
        below for you to confirm. It needs neither tools nor a sign-in.
      </p>
      {wrong && (
        <Banner tone="danger" title={wrong.message}>
          {wrong.next}
        </Banner>
      )}
      {view && <PanicSetChoice key={JSON.stringify(view.set)} set={view.set} />}
      {view?.paused && (
        <p title={momentText(view.paused.atMs)}>
          {view.paused.campaigns === 1 ? 'One campaign was' : `${view.paused.campaigns} campaigns were`}{' '}
          paused {shortMomentText(view.paused.atMs, Date.now())}. Resuming brings their earlier statuses back,
          as one change that you confirm.
        </p>
      )}
    </Card>
  );
}
