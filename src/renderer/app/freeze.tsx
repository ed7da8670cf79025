import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { agentsStore } from '#renderer/stores/agents/agents-store.ts';
import {
  emergencyStopStore,
  type PendingStop,
  pendingStop,
} from '#renderer/stores/agents/emergency-stop-store.ts';
import { reviewStore } from '#renderer/stores/review-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import {
  useFormats,
  Banner,
  Button,
  FailureToast,
  Icon,
  Question,
  shortcutWords,
  Toast,
  common,
  cx,
} from '#renderer/ui/index.ts';
import styles from './dialogs.module.css';
import { isStopPending, isTraining } from '#renderer/api/bridge.ts';
import { realWorkStore } from '#renderer/stores/training-stores.ts';

export function FreezeControl(): ReactElement {
  const frozenSinceMs = useStore(agentsStore, ({ view }) => view?.frozenSinceMs ?? null);
  return (
    <span className={cx(common.row2, styles.frozen)}>
      {frozenSinceMs !== null && <Frozen sinceMs={frozenSinceMs} />}
      <Button
        size="small"
        icon="emergency-stop"
        title={`Freezes all agents and prepares a pause (${shortcutWords('emergencyStop')})`}
        onClick={() => void emergencyStopStore.getState().start()}
      >
        Emergency stop
      </Button>
    </span>
  );
}

function Frozen({ sinceMs }: { sinceMs: number }): ReactElement {
  const formats = useFormats();
  const preparing = useStore(emergencyStopStore, ({ starting }) => starting);
  return (
    <>
      <span
        className={styles.state}
        role="status"
        title={`since ${formats.shortMoment(sinceMs, Date.now())}`}
      >
        <Icon name="pause" size={14} />
        {preparing ? 'Agents frozen, preparing the pause…' : 'Agents frozen'}
      </span>
      <Button size="small" icon="play" onClick={() => agentsStore.getState().ask({ kind: 'thaw' })}>
        Let agents work again
      </Button>
    </>
  );
}

export function NotPausedBand(): ReactElement | null {
  const { start, ...stop } = useStore(emergencyStopStore);
  const isQueued = useStore(sessionStore, ({ connection }) => isStopPending(connection));
  const pending = isQueued ? { kind: 'queued' as const } : pendingStop(stop);
  if (pending === null) return null;
  return (
    <Banner
      flush
      tone="danger"
      icon="emergency-stop"
      title="Nothing is paused yet."
      actions={
        pending.kind === 'waiting' ? (
          <Button size="small" kind="danger" onClick={() => void reviewStore.getState().review(pending.id)}>
            Review pause
          </Button>
        ) : pending.kind === 'failed' ? (
          <Button size="small" kind="danger" onClick={() => void start()}>
            Try again
          </Button>
        ) : undefined
      }
    >
      {pending.kind === 'preparing' ? <Preparing {...pending} /> : pendingWords[pending.kind]}
    </Banner>
  );
}

function Preparing({ progress }: Extract<PendingStop, { kind: 'preparing' }>): ReactElement {
  const formats = useFormats();
  if (progress === null) return <span>Agents are frozen. Counting running campaigns…</span>;
  return (
    <span className={styles.progress}>
      Agents are frozen. {formats.counted(progress.total, 'campaign runs', 'campaigns run')}.
      <CampaignsRead {...progress} />
    </span>
  );
}

function CampaignsRead({ total, read }: { total: number; read: number }): ReactElement {
  const formats = useFormats();
  return (
    <>
      <progress aria-label="Campaigns read" max={Math.max(1, total)} value={read} />
      <span aria-hidden>{formats.count(read)} read</span>
    </>
  );
}

export function PausedBand(): ReactElement | null {
  const formats = useFormats();
  const { view, doing, resume, ...stop } = useStore(emergencyStopStore);
  const isFrozen = useStore(agentsStore, (agents) => agents.view?.frozenSinceMs != null);
  const paused = view?.paused ?? null;
  if (!isFrozen || paused === null || pendingStop({ view, ...stop }) !== null) return null;
  return (
    <Banner
      flush
      tone="warning"
      icon="pause"
      title={`${formats.counted(paused.campaigns, 'campaign is', 'campaigns are')} paused.`}
      actions={
        <Button size="small" icon="play" disabled={doing !== null} onClick={() => void resume()}>
          {doing === 'resume' ? 'Preparing…' : paused.campaigns === 1 ? 'Resume it…' : 'Resume them…'}
        </Button>
      }
    >
      <span className={styles.progress}>
        Emergency stop {formats.when(paused.atMs, Date.now())}.
        {view?.resuming != null && <CampaignsRead {...view.resuming} />}
      </span>
    </Banner>
  );
}

export function PolicyBand(): ReactElement | null {
  const problem = useStore(sessionStore, ({ status }) => status?.policy ?? null);
  if (problem === null) return null;
  return (
    <Banner flush tone="danger" icon="lock" title="Live profiles and agents are stopped.">
      {problem.message} {problem.next}
    </Banner>
  );
}

const pendingWords: Record<Exclude<NonNullable<PendingStop>['kind'], 'preparing'> | 'queued', string> = {
  queued: 'Countersign is starting. Your emergency stop is the first thing it does.',
  waiting: 'Campaigns keep spending until you approve the pause.',
  locked: 'Each running campaign has a change in progress. The pause follows when that settles.',
  failed: 'The pause could not be prepared. Try again, or pause campaigns at the service itself.',
};

export function FreezeNotices(): ReactElement | null {
  const { asking, ask, confirm } = useStore(agentsStore);
  if (asking?.kind !== 'thaw') return <FreezeToast />;
  return (
    <Question
      title="Let agents work again?"
      stay="Keep them frozen"
      confirmLabel="Let them work"
      onStay={() => ask(null)}
      onConfirm={() => void confirm()}
    >
      <p>Each change still waits for your approval. Paused campaigns stay paused.</p>
    </Question>
  );
}

function FreezeToast(): ReactElement | null {
  const agents = useStore(agentsStore);
  const stop = useStore(emergencyStopStore);
  const ofFreeze = ['freeze', 'thaw'].includes(agents.refusal?.of.kind ?? '') ? agents.refusal : null;
  const ofStop = stop.refusal?.of === 'save' ? null : stop.refusal;
  const failure = (ofFreeze ?? ofStop)?.failure;
  const dismiss = ofFreeze === null ? stop.dismiss : agents.dismiss;
  if (failure !== undefined) return <FailureToast failure={failure} onDismiss={dismiss} />;
  return stop.message === null ? null : <Toast tone="info" title={stop.message} onDismiss={dismiss} />;
}

/** In training this button stops the real agents. */
export const stopWords = (): string => (isTraining() ? 'Stop real agents' : 'Emergency stop');

/** Starts the emergency stop of the real agents. Agents of a training workspace are stopped on its Agents page. */
export function emergencyStop(): void {
  if (isTraining()) void realWorkStore.getState().stop();
  else void emergencyStopStore.getState().start();
}
