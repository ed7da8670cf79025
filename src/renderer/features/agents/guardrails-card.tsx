import { guardrailsStore } from '#renderer/stores/agents/index.ts';
import { Banner, Button, Card } from '#renderer/ui/index.ts';
import type { AgentView } from '#shared/app-api/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './agents.module.css';
import { guardrailSentences } from './guardrail-words.ts';
import { GuardrailsForm } from './guardrails-form.tsx';

/** Limits for every agent. They only refuse. */
export function GuardrailsCard({ agents }: { agents: readonly AgentView[] }): ReactElement {
  const { stored, form, failure, edit } = useStore(guardrailsStore);
  const sentences = stored === null ? [] : guardrailSentences(stored);
  return (
    <Card
      level={2}
      title="Guardrails"
      actions={
        stored !== null && form === null ? (
          <Button onClick={edit}>{sentences.length === 0 ? 'Set limits…' : 'Edit…'}</Button>
        ) : undefined
      }
    >
      <p className={styles.soft}>
        Limits block requests; they never approve. What passes them waits for your approval as before.
      </p>
      {failure && (
        <Banner tone="warning" title={failure.message}>
          {failure.next}
        </Banner>
      )}
      {form !== null && <GuardrailsForm form={form} agents={agents} />}
      {form === null && stored !== null && <Limits sentences={sentences} />}
    </Card>
  );
}

function Limits({ sentences }: { sentences: string[] }): ReactElement {
  if (sentences.length === 0) return <p>No limit is set.</p>;
  return (
    <ul className={styles.sentences} aria-label="Limits">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
