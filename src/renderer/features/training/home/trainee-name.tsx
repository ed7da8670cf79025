import { type FormEvent, type ReactElement, useState } from 'react';
import { useStore } from 'zustand';
import { trainingStore } from '../stores/training-store.ts';
import { Button, Buttons, Dialog, ForeignText, TextField } from '#renderer/ui/index.ts';
import type { TrainingHome } from '#shared/app-api/index.ts';
import { firstCodePoints } from '#shared/lib/inert-text.ts';
import styles from './training-home.module.css';

/** The first page of training: it asks for a name, and says what the name is for. */
export function TraineeName({ home }: { home: TrainingHome }): ReactElement {
  return (
    <section className={styles.welcome} aria-label="Welcome">
      <h1 className={styles.welcomeTitle}>Who is training?</h1>
      <p className={styles.lead}>
        You decide on the changes of agents, good and bad, then see what you caught.
      </p>
      <NameForm home={home} button="Start training" />
    </section>
  );
}

/** Changes the name that trains. */
export function NameDialog({ home, onClose }: { home: TrainingHome; onClose: () => void }): ReactElement {
  return (
    <Dialog title="Who is training?" onClose={onClose}>
      <NameForm home={home} button="Continue" onDone={onClose} />
    </Dialog>
  );
}

interface NameFormProps {
  home: TrainingHome;
  button: string;
  onDone?: () => void;
}

function NameForm({ home, button, onDone }: NameFormProps): ReactElement {
  const doing = useStore(trainingStore, (state) => state.doing);
  const [typed, setTyped] = useState('');
  const others = home.names.filter((name) => name !== home.name);

  async function choose(name: string): Promise<void> {
    if (await trainingStore.getState().setName(name)) onDone?.();
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (typed.trim() !== '') void choose(typed.trim());
  }
  return (
    <form className={styles.nameForm} onSubmit={submit}>
      <div className={styles.nameLine}>
        <TextField
          label="Your name"
          value={typed}
          onChange={(text) => setTyped(firstCodePoints(text, 60))}
          autoFocus
        />
        <Button kind="primary" type="submit" disabled={doing === 'name' || typed.trim() === ''}>
          {button}
        </Button>
      </div>
      {others.length > 0 && (
        <div className={styles.names} role="group" aria-label="Names that have trained here">
          <span className={styles.soft}>Or continue as</span>
          <Buttons>
            {others.map((name) => (
              <Button key={name} size="small" disabled={doing === 'name'} onClick={() => void choose(name)}>
                <ForeignText text={name} />
              </Button>
            ))}
          </Buttons>
        </div>
      )}
      <p className={styles.soft}>Your name stays on this computer.</p>
    </form>
  );
}
