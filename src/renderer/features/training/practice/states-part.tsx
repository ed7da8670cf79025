import { type FormEvent, type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import { practiceStore } from '../stores/practice-store.ts';
import {
  useFormats,
  Button,
  Buttons,
  ForeignText,
  Question,
  Section,
  TextField,
} from '#renderer/ui/index.ts';
import type { PracticeView } from '#shared/app-api/index.ts';
import { firstCodePoints, quoted } from '#shared/lib/inert-text.ts';
import styles from './training-practice.module.css';

/** A step back that loses what happened since: to a saved state, or with null to the beginning. */
type Return = { name: string | null };

/** Saved states of the workspace: save, return to one, and begin again. */
export function StatesPart({ states }: Pick<PracticeView, 'states'>): ReactElement {
  const formats = useFormats();
  const { doing, apply } = useStore(practiceStore);
  const [typed, setTyped] = useState('');
  const [asking, setAsking] = useState<Return | null>(null);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const name = typed.trim();
    if (name !== '' && (await apply('practice.save', { name }))) setTyped('');
  }
  function goOn({ name }: Return): void {
    setAsking(null);
    if (name === null) void apply('practice.reset', {});
    else void apply('practice.return', { name });
  }
  return (
    <Section title="Saved states">
      <div className={styles.stack}>
        <form className={styles.line} onSubmit={(event) => void submit(event)}>
          <TextField
            label="Name of this state"
            value={typed}
            onChange={(text) => setTyped(firstCodePoints(text, 40))}
          />
          <Button type="submit" disabled={doing !== null || typed.trim() === ''}>
            Save
          </Button>
        </form>
        {states.length > 0 && (
          <ul className={styles.states}>
            {states.map(({ name, atMs }) => (
              <li key={name} className={styles.state}>
                <span className={styles.stateName}>
                  <ForeignText text={name} />
                  <span className={styles.soft}>{formats.shortMoment(atMs, Date.now())}</span>
                </span>
                <Button
                  size="small"
                  icon="undo"
                  aria-label={`Return to ${name}`}
                  disabled={doing !== null}
                  onClick={() => setAsking({ name })}
                >
                  Return
                </Button>
              </li>
            ))}
          </ul>
        )}
        <Buttons>
          <Button
            size="small"
            icon="reset"
            disabled={doing !== null}
            onClick={() => setAsking({ name: null })}
          >
            Reset to the beginning
          </Button>
        </Buttons>
      </div>
      {asking !== null && (
        <Question
          title={asking.name === null ? 'Reset to the beginning?' : `Return to ${quoted(asking.name)}?`}
          stay="Stay here"
          goOn={asking.name === null ? 'Reset' : 'Return'}
          onStay={() => setAsking(null)}
          onGoOn={() => goOn(asking)}
        >
          <p>Everything that happened in this practice since then is lost. Saved states are kept.</p>
        </Question>
      )}
    </Section>
  );
}
