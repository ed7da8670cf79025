import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { admissionsStore, agentsStore } from '#renderer/stores/agents/agents-store.ts';
import { guardrailsStore } from '#renderer/stores/agents/guardrails-store.ts';
import { refusedStore, toolsStore } from './stores/tools-store.ts';
import { sampleAgentStore } from './stores/sample-agent-store.ts';
import { reviewStore } from '#renderer/stores/review-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { isTraining } from '#renderer/stores/ui.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import {
  common,
  useFormats,
  Banner,
  Button,
  Card,
  Cards,
  Countdown,
  Disclosure,
  PageFrame,
  Pill,
  ProfileSign,
  Question,
  QuotedText,
  Spread,
  FailureBanner,
  FailureState,
  Loading,
  pages,
} from '#renderer/ui/index.ts';
import type { AgentView, AppOutput } from '#shared/app-api/index.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import { EndedAgent, AdmittedAgent } from './agent-item.tsx';
import { byAccess, connectedWords } from './agent-words.ts';
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

/** `1 connected`, and while agents are frozen, since when: the title bar says that they are. */
function headWords({ agents, frozenSinceMs }: AppOutput<'agents.get'>, formats: Formats): string {
  const refused =
    frozenSinceMs === null
      ? null
      : `every request refused since ${formats.shortMoment(frozenSinceMs, Date.now())}`;
  return [connectedWords(agents), refused].filter((words) => words !== null).join(' · ');
}

function follow(): () => void {
  const stops = [
    admissionsStore.getState().start(),
    toolsStore.getState().start(),
    guardrailsStore.getState().start(),
    refusedStore.getState().start(),
    sampleAgentStore.getState().start(),
  ];
  return () => stops.forEach((stop) => stop());
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
    // Once it is open; its head alone may be in view already.
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
                <span className={styles.name}>
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

function AgentsCard(props: {
  agents: readonly AgentView[];
  /** Shows how an agent is connected; null while none can be. */
  onConnect: (() => void) | null;
}): ReactElement {
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
  const { asking, ask, goOn } = useStore(agentsStore);
  if (asking?.kind !== 'revoke') return null;
  const agent = agents.find(({ id }) => id === asking.id);
  if (agent === undefined) return null;
  return (
    <Question
      title={`Revoke ${quoted(agent.name)}?`}
      stay="Keep it"
      goOn="Revoke"
      onStay={() => ask(null)}
      onGoOn={() => void goOn()}
    >
      <p>It is disconnected and its waiting proposals are withdrawn. Approved changes stay.</p>
    </Question>
  );
}

function Refusal(): ReactElement | null {
  const { refusal, dismiss } = useStore(agentsStore);
  // Refusals of the freeze are shown at the title bar, on every page.
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
