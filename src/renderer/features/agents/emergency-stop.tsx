import { type FormEvent, type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import { agentsStore } from '#renderer/stores/agents/agents-store.ts';
import { emergencyStopStore } from '#renderer/stores/agents/emergency-stop-store.ts';
import { readCids } from '#renderer/stores/agents/guardrails-form.ts';
import { isTraining } from '#renderer/stores/ui.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import {
  useFormats,
  Button,
  Buttons,
  Card,
  RadioGroup,
  TextField,
  cx,
  common,
  FailureBanner,
} from '#renderer/ui/index.ts';
import type { CampaignsToPause } from '#shared/app-api/index.ts';
import { reachWords } from './agent-words.ts';
import styles from './agents.module.css';

const realStop = { title: 'Emergency stop', reach: null };

/** This card stops the agents of the workspace, because in training the title bar and its shortcut stop the real agents. */
const practiceStop = {
  title: 'Stop practice agents',
  reach: 'It reaches this workspace only: “Stop real agents” in the title bar stops the real ones.',
};

export function EmergencyStopCard(): ReactElement {
  const formats = useFormats();
  const { view, failure, refusal, doing, starting, start, resume } = useStore(emergencyStopStore);
  const { view: agents, freeze } = useStore(agentsStore);
  const isFrozen = agents !== null && agents.frozenSinceMs !== null;
  // While agents are frozen, a band above every page offers to resume the campaigns.
  const paused = isFrozen ? null : (view?.paused ?? null);
  // Failures of starting and resuming are shown above every page.
  const wrong = refusal?.of === 'save' ? refusal.failure : failure;
  const { title, reach } = isTraining() ? practiceStop : realStop;
  return (
    <Card
      level={2}
      title={title}
      actions={
        <>
          <Button kind="danger" icon="emergency-stop" onClick={() => void start()}>
            {starting ? 'Preparing the pause…' : title}
          </Button>
          {!isFrozen && (
            <Button icon="pause" onClick={() => void freeze()}>
              Freeze agents only
            </Button>
          )}
          {paused !== null && (
            <Button icon="play" disabled={doing !== null} onClick={() => void resume()}>
              {doing === 'resume' ? 'Preparing…' : paused.campaigns === 1 ? 'Resume it…' : 'Resume them…'}
            </Button>
          )}
        </>
      }
    >
      <p className={styles.soft}>
        Freezes all agents at once, withdraws what they have waiting, and prepares one pause for you to
        confirm. {reach !== null && <span>{reach} </span>}
        <a href={routeHref({ page: 'guide', place: 'emergency-stop' })}>Read about the emergency stop</a>
      </p>
      {view && <p className={styles.soft}>{reachWords(view)}</p>}
      {wrong && <FailureBanner failure={wrong} />}
      {view && <CampaignsToPauseChoice key={JSON.stringify(view.set)} set={view.set} />}
      {paused !== null && (
        <p title={formats.moment(paused.atMs)}>
          {formats.counted(paused.campaigns, 'campaign was', 'campaigns were')} paused{' '}
          {formats.when(paused.atMs, Date.now())}.
        </p>
      )}
    </Card>
  );
}

const maxCampaigns = 1000;

function CampaignsToPauseChoice({ set }: { set: CampaignsToPause }): ReactElement {
  const { doing, choose } = useStore(emergencyStopStore);
  const [kind, setKind] = useState<CampaignsToPause['kind']>(set.kind);
  const stored = set.kind === 'chosen' ? set.cids.join(' ') : '';
  const [typed, setTyped] = useState(stored);
  const [error, setError] = useState<string | undefined>();
  const changed = kind !== set.kind || (kind === 'chosen' && typed.trim() !== stored);

  function save(event: FormEvent): void {
    event.preventDefault();
    if (kind === 'running') return void choose({ kind });
    const found = readChoice(typed);
    if (found.kind === 'wrong') return setError(found.message);
    void choose({ kind, cids: found.cids });
  }

  return (
    <form className={cx(common.stack3, styles.choice)} onSubmit={save} noValidate>
      <RadioGroup
        label="Campaigns to pause"
        value={kind}
        options={[
          { id: 'running', label: 'All running campaigns', hint: 'Active or Scheduled.' },
          { id: 'chosen', label: 'These campaigns', hint: 'Only those that run.' },
        ]}
        onChange={(id) => {
          setKind(id === 'chosen' ? 'chosen' : 'running');
          setError(undefined);
        }}
      />
      {kind === 'chosen' && (
        <TextField
          label="Campaign IDs"
          value={typed}
          limit="With spaces between them"
          error={error}
          onChange={(text) => {
            setTyped(text);
            setError(undefined);
          }}
        />
      )}
      {changed && (
        <Buttons>
          <Button type="submit" disabled={doing !== null}>
            {doing === 'save' ? 'Saving…' : 'Save choice'}
          </Button>
        </Buttons>
      )}
    </form>
  );
}

function readChoice(typed: string): ReturnType<typeof readCids> {
  const found = readCids(typed);
  if (found.kind === 'wrong') return found;
  if (found.cids.length === 0) return { kind: 'wrong', message: 'Enter at least one campaign.' };
  if (found.cids.length > maxCampaigns) return { kind: 'wrong', message: 'Enter at most 1,000 campaigns.' };
  return found;
}
