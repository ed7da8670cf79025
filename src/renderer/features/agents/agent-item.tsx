import { agentsStore } from '#renderer/stores/agents/agents-store.ts';
import {
  useFormats,
  Age,
  Button,
  Buttons,
  ForeignText,
  Pill,
  ProfileSign,
  QuotedText,
  Spread,
  useNow,
} from '#renderer/ui/index.ts';
import type { AgentView } from '#shared/app-api/index.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { endWords, repeatedRefreshesMeaning, repeatedRefreshesWords, tallyWords } from './agent-words.ts';
import { mayWords } from '#shared/wording/index.ts';
import styles from './agents.module.css';

const ageEveryMs = 10_000;

export function AdmittedAgent({ agent }: { agent: AgentView }): ReactElement {
  const doing = useStore(agentsStore, (state) => state.doing);
  const { id, name, connected, scopes, tally } = agent;
  const action = doing?.kind === 'revoke' && doing.id === id ? 'Revoking…' : 'Revoke…';
  return (
    <li className={styles.item}>
      <Spread>
        <Buttons>
          <span className={styles.name}>
            <QuotedText text={name} />
          </span>
          <Pill
            tone={connected ? 'good' : 'neutral'}
            hollow={!connected}
            label={connected ? 'Connected' : 'Away'}
          />
        </Buttons>
        <Button
          aria-label={`${action} ${quoted(name)}`}
          disabled={doing !== null}
          onClick={() => agentsStore.getState().ask({ kind: 'revoke', id })}
        >
          {action}
        </Button>
      </Spread>
      <Profile agent={agent} />
      <p>{mayWords(scopes)}</p>
      <p className={styles.small}>{tallyWords(tally)}</p>
      <Since agent={agent} />
    </li>
  );
}

export function EndedAgent({ agent }: { agent: AgentView }): ReactElement {
  const formats = useFormats();
  const { name, ended, tally } = agent;
  return (
    <li className={styles.item}>
      <span className={styles.name}>
        <QuotedText text={name} />
      </span>
      <p className={styles.small}>
        {ended !== null && (
          <span title={formats.moment(ended.atMs)}>
            until {formats.shortMoment(ended.atMs, Date.now())}: {endWords(ended)} ·{' '}
          </span>
        )}
        <span>{tallyWords(tally)}</span>
      </p>
    </li>
  );
}

function Profile({ agent: { profile } }: { agent: AgentView }): ReactElement {
  if (profile === null) return <span className={styles.small}>its profile was removed</span>;
  return <ProfileSign kind={profile.kind} name={profile.name} />;
}

function Since({ agent }: { agent: AgentView }): ReactElement {
  const formats = useFormats();
  const nowMs = useNow(ageEveryMs);
  const { sinceMs, lastSeenMs, connected, redirectHost, repeatedRefreshes } = agent;
  return (
    <p className={styles.small}>
      <span title={formats.moment(sinceMs)}>since {formats.shortMoment(sinceMs, nowMs)}</span>
      {' · at '}
      <ForeignText text={redirectHost} />
      {!connected && lastSeenMs !== null && (
        <span title={formats.moment(lastSeenMs)}>
          {' '}
          · last seen <Age atMs={lastSeenMs} />
        </span>
      )}
      {!connected && lastSeenMs === null && <span> · not seen yet</span>}
      {repeatedRefreshes !== null && (
        <span title={repeatedRefreshesMeaning}>
          {' · '}
          {repeatedRefreshesWords(repeatedRefreshes, nowMs, formats)}
        </span>
      )}
    </p>
  );
}
