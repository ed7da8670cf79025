import { agentsStore } from '#renderer/stores/agents/index.ts';
import { Card, Disclosure, Question } from '#renderer/ui/index.ts';
import type { AgentView } from '#shared/app-api/index.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { byStanding } from './agent-words.ts';
import { EndedAgent, LivingAgent } from './agent-item.tsx';
import styles from './agents.module.css';

/** The agents with access, and folded below, those whose access has ended. */
export function AgentsCard({ agents }: { agents: readonly AgentView[] }): ReactElement {
  const { living, ended } = byStanding(agents);
  return (
    <Card level={2} title="Agents with access">
      {living.length === 0 ? (
        <p className={styles.soft}>None</p>
      ) : (
        <ul className={styles.list} aria-label="Agents with access">
          {living.map((agent) => (
            <LivingAgent key={agent.id} agent={agent} />
          ))}
        </ul>
      )}
      {ended.length > 0 && (
        <Disclosure title="Ended" aside={ended.length}>
          <ul className={styles.list}>
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
      <p>
        It is disconnected at once, and what it has waiting is withdrawn. What you approved before stays. To
        work again it has to request access.
      </p>
    </Question>
  );
}
