import { emergencyStopStore, readCids } from '#renderer/stores/agents/index.ts';
import { Button, Buttons, RadioGroup, TextField } from '#renderer/ui/index.ts';
import type { CampaignsToPause } from '#shared/app-api/index.ts';
import { useState, type FormEvent, type ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './agents.module.css';

const mostCampaigns = 1000;

/** Which campaigns the emergency stop pauses. A choice holds when it is saved. */
export function CampaignsToPauseChoice({ set }: { set: CampaignsToPause }): ReactElement {
  const { doing, choose } = useStore(emergencyStopStore);
  const [kind, setKind] = useState<CampaignsToPause['kind']>(set.kind);
  const [typed, setTyped] = useState(set.kind === 'chosen' ? set.cids.join(' ') : '');
  const [error, setError] = useState<string | undefined>();
  const stored = set.kind === 'chosen' ? set.cids.join(' ') : '';
  const changed = kind !== set.kind || (kind === 'chosen' && typed.trim() !== stored);

  function save(event: FormEvent): void {
    event.preventDefault();
    if (kind === 'running') return void choose({ kind });
    const found = readChoice(typed);
    if (found.kind === 'wrong') return setError(found.message);
    void choose({ kind, cids: found.cids });
  }

  return (
    <form className={styles.choice} onSubmit={save} noValidate>
      <RadioGroup
        label="Campaigns to pause"
        value={kind}
        options={[
          {
            id: 'running',
            label: 'Everything that runs',
            hint: 'All campaigns that are Active or Scheduled.',
          },
          { id: 'chosen', label: 'These campaigns', hint: 'Those of them that run.' },
        ]}
        onChange={(id) => {
          setKind(id === 'chosen' ? 'chosen' : 'running');
          setError(undefined);
        }}
      />
      {kind === 'chosen' && (
        <TextField
          label="Campaign ids"
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
  if (found.cids.length === 0) return { kind: 'wrong', message: 'Name at least one campaign.' };
  if (found.cids.length > mostCampaigns) return { kind: 'wrong', message: 'Name 1,000 campaigns at most.' };
  return found;
}
