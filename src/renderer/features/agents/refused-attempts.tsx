import { type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import { refusedStore } from './stores/page-stores.ts';
import { guardrailsStore, isEditing } from '#renderer/stores/agents/guardrails-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import {
  cx,
  useFormats,
  Card,
  ForeignText,
  LinkButton,
  ProfileSign,
  QuotedText,
  Select,
  Spread,
  common,
  FailureBanner,
} from '#renderer/ui/index.ts';
import type { RefusedAttemptView } from '#shared/app-api/index.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import { ruleName, settingOf } from './agent-words.ts';
import styles from './agents.module.css';

const shownAtFirst = 8;

const everyAgent = '';

export function RefusedCard(): ReactElement {
  const formats = useFormats();
  const { attempts, failure, agentId, filter } = useStore(refusedStore);
  const [all, setAll] = useState(false);
  const agents = new Map((attempts ?? []).map((one) => [one.agentId, one.agentName]));
  // The list cannot be filtered by an agent without attempts in it.
  const chosen = agentId !== null && agents.has(agentId) ? agentId : null;
  const matching = (attempts ?? []).filter((attempt) => chosen === null || attempt.agentId === chosen);
  const shown = all ? matching : matching.slice(0, shownAtFirst);
  return (
    <Card
      level={2}
      title="Refused attempts"
      aside={
        matching.length > 0 && (
          <span className={styles.small}>{formats.counted(matching.length, 'attempt')}</span>
        )
      }
    >
      {matching.length > 0 && <p className={styles.soft}>Changes that a rule blocked. Nothing was sent.</p>}
      {failure && (
        <FailureBanner tone="warning" failure={failure}>
          This list may be out of date.
        </FailureBanner>
      )}
      {agents.size > 1 && (
        <div className={styles.filter}>
          <Select
            label="Agent"
            value={chosen ?? everyAgent}
            options={[
              { id: everyAgent, label: 'All agents' },
              ...[...agents].map(([id, name]) => ({ id, label: quoted(name) })),
            ]}
            onChange={(id) => filter(id === everyAgent ? null : id)}
          />
        </div>
      )}
      {attempts?.length === 0 && (
        <p className={styles.soft}>None. Changes that a limit blocks are listed here.</p>
      )}
      {shown.length > 0 && (
        <ul className={common.stack} aria-label="Refused attempts">
          {shown.map((attempt) => (
            <Attempt key={attempt.id} attempt={attempt} />
          ))}
        </ul>
      )}
      {shown.length < matching.length && (
        <p>
          <LinkButton onClick={() => setAll(true)}>Show all {matching.length}</LinkButton>
        </p>
      )}
    </Card>
  );
}

function Attempt({ attempt }: { attempt: RefusedAttemptView }): ReactElement {
  const formats = useFormats();
  const { title, agentName, atMs, times, rule, reason, profile } = attempt;
  const active = useStore(sessionStore, (state) => state.session?.profile);
  const isActive = profile.id === active?.id;
  return (
    <li className={styles.item}>
      <Spread>
        <span className={cx(common.strong, common.breaks)}>
          <ForeignText text={title} />
        </span>
        <span className={styles.small} title={formats.moment(atMs)}>
          {times > 1 && <span>{`${formats.counted(times, 'time')} · last `}</span>}
          <span>{formats.shortMoment(atMs, Date.now())}</span>
        </span>
      </Spread>
      <p>
        <span className={common.medium}>{ruleName(rule)}:</span> <ForeignText text={reason} />
      </p>
      <p className={styles.small}>
        by <QuotedText text={agentName} />
        {isActive && <Campaigns attempt={attempt} />}
        <Setting attempt={attempt} />
      </p>
      {!isActive && <ProfileSign kind={profile.kind} name={profile.name} />}
    </li>
  );
}

const maxLinks = 3;

function Campaigns({ attempt }: { attempt: RefusedAttemptView }): ReactElement | null {
  const { cids, campaignCount } = attempt;
  if (cids.length === 0) return null;
  const linked = cids.slice(0, maxLinks);
  const more = campaignCount - linked.length;
  return (
    <>
      {linked.map((cid) => (
        <span key={cid}>
          {' · '}
          <a href={routeHref({ page: 'campaigns', cid })}>Campaign {cid}</a>
        </span>
      ))}
      {more > 0 && <span>{` and ${more} more`}</span>}
    </>
  );
}

function Setting({ attempt: { rule, profile } }: { attempt: RefusedAttemptView }): ReactElement | null {
  const setting = settingOf(rule);
  if (setting === null) return null;
  function open(): void {
    if (setting === null) return;
    // Unsaved edits stay, even if they belong to another profile.
    if (!isEditing(guardrailsStore.getState())) guardrailsStore.getState().show(profile.id);
    guardrailsStore.getState().edit(setting);
  }
  return (
    <>
      <span>{' · '}</span>
      <LinkButton label={`Show the limit: ${ruleName(rule)}`} onClick={open}>
        Show the limit
      </LinkButton>
    </>
  );
}
