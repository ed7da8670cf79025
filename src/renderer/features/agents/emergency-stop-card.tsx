import { agentsStore, emergencyStopStore } from '#renderer/stores/agents/index.ts';
import { Banner, Button, Card, momentText, shortMomentText } from '#renderer/ui/index.ts';
import { counted } from '#shared/lib/counted.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './agents.module.css';
import { CampaignsToPauseChoice } from './campaigns-to-pause-choice.tsx';
import { reachWords } from './reach-words.ts';

/** The emergency stop: what it does, which campaigns it pauses, and the way back. */
export function EmergencyStopCard(): ReactElement {
  const { view, failure, refusal, doing, starting, start, resume } = useStore(emergencyStopStore);
  const { view: agents, freeze } = useStore(agentsStore);
  const isFrozen = agents !== null && agents.frozenSinceMs !== null;
  // What came of starting and resuming stands over every page.
  const wrong = refusal?.of === 'save' ? refusal.failure : failure;
  return (
    <Card
      level={2}
      title="Emergency stop"
      actions={
        <>
          <Button kind="danger" icon="emergency-stop" onClick={() => void start()}>
            {starting ? 'Preparing the pause…' : 'Emergency stop'}
          </Button>
          {!isFrozen && (
            <Button icon="pause" onClick={() => void freeze()}>
              Freeze agents only
            </Button>
          )}
          {view?.paused && (
            <Button icon="play" disabled={doing !== null} onClick={() => void resume()}>
              {doing === 'resume' ? 'Preparing…' : 'Resume campaigns…'}
            </Button>
          )}
        </>
      }
    >
      <p className={styles.soft}>
        One press freezes all agents at once, withdraws what they have waiting, and prepares one pause of the
        campaigns below for you to confirm. It needs neither tools nor a sign-in. The same control is in the
        title bar, on the desktop also in the menu and the tray, and it has a key: see Keyboard shortcuts.
      </p>
      {view && <p className={styles.soft}>{reachWords(view)}</p>}
      {wrong && (
        <Banner tone="danger" title={wrong.message}>
          {wrong.next}
        </Banner>
      )}
      {view && <CampaignsToPauseChoice key={JSON.stringify(view.set)} set={view.set} />}
      {view?.paused && (
        <p title={momentText(view.paused.atMs)}>
          {counted(view.paused.campaigns, 'campaign was', 'campaigns were')} paused{' '}
          {shortMomentText(view.paused.atMs, Date.now())}. Resuming brings their earlier statuses back, as one
          change that you confirm.
        </p>
      )}
    </Card>
  );
}
