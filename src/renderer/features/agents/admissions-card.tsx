import { admissionsStore } from '#renderer/stores/agents/index.ts';
import { reviewStore } from '#renderer/stores/review/index.ts';
import { Button, Card, Countdown, Pill, ProfileSign, QuotedText, Spread } from '#renderer/ui/index.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './agents.module.css';

/** Agents that stand at the door. The names are their own claim. */
export function AdmissionsCard(): ReactElement | null {
  const waiting = useStore(admissionsStore, (state) => state.waiting);
  if (waiting.length === 0) return null;
  return (
    <Card
      level={2}
      title="Access requests"
      aside={<Pill tone="waiting" label={`${waiting.length} waiting`} />}
    >
      <ul className={styles.list}>
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
