import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { admissionsStore, agentsStore } from '#renderer/stores/agents/agents-store.ts';
import { guardrailsStore } from '#renderer/stores/agents/guardrails-store.ts';
import { refusedStore, toolsStore, sampleAgentStore } from './stores/page-stores.ts';
import { reviewStore } from '#renderer/stores/review-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { stopAll } from '#renderer/stores/follow-core.ts';
import { isTraining } from '#renderer/stores/ui.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import {
  cx,
  common,
  useFormats,
  Age,
  Banner,
  Button,
  Buttons,
  Card,
  Cards,
  Countdown,
  Disclosure,
  ForeignText,
  PageFrame,
  Pill,
  ProfileSign,
  Question,
  QuotedText,
  Spread,
  FailureBanner,
  FailureState,
  Loading,
  useNow,
  pages,
} from '#renderer/ui/index.ts';
import type { AgentView, AppOutput } from '#shared/app-api/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import {
  byAccess,
  connectedWords,
  endWords,
  repeatedRefreshesMeaning,
  repeatedRefreshesWords,
  tallyWords,
} from './agent-words.ts';
import { scopesText } from '#shared/wording/index.ts';
import styles from './agents.module.css';
import { ConnectCard, EndpointCard, SampleAgentCard } from './connect-card.tsx';
import { EmergencyStopCard } from './emergency-stop.tsx';
import { GuardrailsCard } from './guardrails.tsx';
import { RefusedCard } from './refused-attempts.tsx';
import { ToolsCard } from './tools.tsx';

export function AgentsView(): ReactElement {
  const formats = useFormats();
  useEffect(follow, []);
  const { view, failure, reload } = useStore(agentsStore);
  return (
    <PageFrame
      title="Agents"
      count={view && headWords(view, formats)}
      guide={routeHref({ page: 'guide', place: 'agents' })}
    >
      {view && failure && (
        <FailureBanner flush tone="warning" failure={failure} onRetry={reload}>
          This page may be out of date.
        </FailureBanner>
      )}
      {view && <Body view={view} />}
      {!view && failure && (
        <FailureState failure={failure} onRetry={reload}>
          No agent can change anything meanwhile.
        </FailureState>
      )}
      {!view && !failure && <Loading label="Reading the agents" widths={['48%', '72%', '64%']} />}
    </PageFrame>
  );
}

function headWords({ agents, frozenSinceMs }: AppOutput<'agents.get'>, formats: Formats): string {
  const refused =
    frozenSinceMs === null
      ? null
      : `every request refused since ${formats.shortMoment(frozenSinceMs, Date.now())}`;
  return [connectedWords(agents), refused].filter((words) => words !== null).join(' · ');
}

function follow(): () => void {
  const stores = [admissionsStore, toolsStore, guardrailsStore, refusedStore, sampleAgentStore];
  return stopAll(...stores.map((store) => store.getState().start()));
}

function WaitingChanges(): ReactElement | null {
  const formats = useFormats();
  const waiting = useStore(sessionStore, (state) => state.status?.waiting ?? 0);
  const admissions = useStore(admissionsStore, (state) => state.waiting.length);
  const changes = waiting - admissions;
  if (changes <= 0) return null;
  return (
    <Banner
      tone="info"
      icon="proposals"
      title={formats.counted(changes, 'change awaits your approval', 'changes await your approval')}
      actions={
        <a className={styles.go} href={routeHref({ page: 'proposals', id: null })}>
          Open Proposals
        </a>
      }
    />
  );
}

function Body({ view }: { view: AppOutput<'agents.get'> }): ReactElement {
  const profile = useStore(sessionStore, (state) => state.session?.profile);
  const [connecting, setConnecting] = useState(false);
  const connect = useRef<HTMLDivElement>(null);
  const showConnect = (): void => {
    setConnecting(true);
    // Waits for the card to open. Otherwise its heading may already be in view and nothing scrolls.
    requestAnimationFrame(() => connect.current?.scrollIntoView({ block: 'nearest' }));
  };
  return (
    <div className={pages.scroll}>
      <Cards wide>
        <Refusal />
        <EndpointCard endpoint={view.endpoint} />
        <AdmissionsCard />
        <WaitingChanges />
        <AgentsCard agents={view.agents} onConnect={view.endpoint.url === '' ? null : showConnect} />
        {profile?.kind === 'demo' && !isTraining() && <SampleAgentCard />}
        <GuardrailsCard agents={view.agents} />
        <RefusedCard />
        <EmergencyStopCard />
        <div ref={connect}>
          <ConnectCard url={view.endpoint.url} open={connecting} onToggle={setConnecting} />
        </div>
        <ToolsCard agents={view.agents} />
      </Cards>
    </div>
  );
}

function AdmissionsCard(): ReactElement | null {
  const waiting = useStore(admissionsStore, (state) => state.waiting);
  if (waiting.length === 0) return null;
  return (
    <Card
      level={2}
      title="Access requests"
      aside={<Pill tone="waiting" label={`${waiting.length} waiting`} />}
    >
      <ul className={common.stack}>
        {waiting.map(({ id, proposedBy: { name }, profile, expiresAtMs }) => (
          <li key={id} className={styles.item}>
            <Spread>
              <span>
                <span className={cx(common.strong, common.breaks)}>
                  <QuotedText text={name} />
                </span>{' '}
                requests access
              </span>
              <Button
                kind="primary"
                aria-label={`Review ${quoted(name)}`}
                onClick={() => void reviewStore.getState().review(id)}
              >
                Review
              </Button>
            </Spread>
            <Spread>
              <ProfileSign kind={profile.kind} name={profile.name} />
              <span className={styles.small}>
                <Countdown untilMs={expiresAtMs} />
              </span>
            </Spread>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function AgentsCard(props: { agents: readonly AgentView[]; onConnect: (() => void) | null }): ReactElement {
  const { agents, onConnect } = props;
  const { admitted, ended } = byAccess(agents);
  const isEmpty = admitted.length === 0;
  return (
    <Card
      level={2}
      title="Agents with access"
      actions={
        isEmpty && onConnect !== null ? <Button onClick={onConnect}>Connect an agent</Button> : undefined
      }
    >
      {isEmpty ? (
        <p className={styles.soft}>
          None. An agent, such as Claude Code, reads your campaigns and proposes changes that wait for your
          approval.
        </p>
      ) : (
        <ul className={common.stack} aria-label="Agents with access">
          {admitted.map((agent) => (
            <AdmittedAgent key={agent.id} agent={agent} />
          ))}
        </ul>
      )}
      {ended.length > 0 && (
        <Disclosure title="Ended" aside={ended.length}>
          <ul className={common.stack}>
            {ended.map((agent) => (
              <EndedAgent key={agent.id} agent={agent} />
            ))}
          </ul>
        </Disclosure>
      )}
      <RevokeQuestion agents={agents} />
    </Card>
  );
}

function RevokeQuestion({ agents }: { agents: readonly AgentView[] }): ReactElement | null {
  const { asking, ask, confirm } = useStore(agentsStore);
  if (asking?.kind !== 'revoke') return null;
  const agent = agents.find(({ id }) => id === asking.id);
  if (agent === undefined) return null;
  return (
    <Question
      title={`Revoke ${quoted(agent.name)}?`}
      stay="Keep it"
      confirmLabel="Revoke"
      onStay={() => ask(null)}
      onConfirm={() => void confirm()}
    >
      <p>It is disconnected and its waiting proposals are withdrawn. Approved changes stay.</p>
    </Question>
  );
}

function Refusal(): ReactElement | null {
  const { refusal, dismiss } = useStore(agentsStore);
  // The title bar shows failed freezes on every page.
  if (refusal === null || refusal.of.kind === 'freeze' || refusal.of.kind === 'thaw') return null;
  return (
    <FailureBanner
      failure={refusal.failure}
      actions={
        <Button size="small" onClick={dismiss}>
          OK
        </Button>
      }
    />
  );
}

const ageEveryMs = 10_000;

function AdmittedAgent({ agent }: { agent: AgentView }): ReactElement {
  const doing = useStore(agentsStore, (state) => state.doing);
  const { id, name, connected, scopes, tally, profile } = agent;
  const action = doing?.kind === 'revoke' && doing.id === id ? 'Revoking…' : 'Revoke…';
  return (
    <li className={styles.item}>
      <Spread>
        <Buttons>
          <span className={cx(common.strong, common.breaks)}>
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
      {profile === null ? (
        <span className={styles.small}>its profile was removed</span>
      ) : (
        <ProfileSign kind={profile.kind} name={profile.name} />
      )}
      <p>{scopesText(scopes)}</p>
      <p className={styles.small}>{tallyWords(tally)}</p>
      <Since agent={agent} />
    </li>
  );
}

function EndedAgent({ agent }: { agent: AgentView }): ReactElement {
  const formats = useFormats();
  const { name, ended, tally } = agent;
  return (
    <li className={styles.item}>
      <span className={cx(common.strong, common.breaks)}>
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
