import { FoldedCard, Select } from '#renderer/ui/index.ts';
import { useState, type ReactElement } from 'react';
import styles from './agents.module.css';
import { CopiedText } from './copied-text.tsx';
import { knownClients, type KnownClient, type Recipe } from './known-clients.ts';

export interface ConnectCardProps {
  url: string;
  open: boolean;
  onToggle: (open: boolean) => void;
}

/** Where agents connect, and how each known client is told so, exactly, to be copied. */
export function ConnectCard({ url, open, onToggle }: ConnectCardProps): ReactElement | null {
  const [chosen, setChosen] = useState('claude-code');
  if (url === '') return null;
  const clients = knownClients(url);
  const client = clients.find(({ id }) => id === chosen) ?? clients[0];
  return (
    <FoldedCard level={2} title="Connect an agent" open={open} onToggle={onToggle}>
      <Select
        label="Client"
        value={chosen}
        options={clients.map(({ id, name }) => ({ id, label: name }))}
        onChange={setChosen}
      />
      {client && <Recipes client={client} />}
      <p className={styles.soft}>
        It opens a page in your browser that shows two words, and Countersign asks you in its own window. Let
        it in only if the words are the same.
      </p>
      <p className={styles.small}>The address of Countersign for agents on this computer:</p>
      <CopiedText text={url} about="the address" />
      <p className={styles.soft}>Nothing from outside reaches it, and you admit each agent once.</p>
    </FoldedCard>
  );
}

function Recipes({ client }: { client: KnownClient }): ReactElement {
  const { name, recipes, note } = client;
  return (
    <>
      {recipes.map((recipe) => (
        <div key={recipe.text} className={styles.recipe}>
          <p className={styles.small}>{leadOf(recipe)}</p>
          <CopiedText text={recipe.text} about={`the ${recipe.kind} for ${name}`} />
        </div>
      ))}
      <p className={styles.soft}>{note}</p>
    </>
  );
}

function leadOf(recipe: Recipe): string {
  switch (recipe.kind) {
    case 'address':
      return 'Give it this address:';
    case 'command':
      return 'In a terminal:';
    case 'file':
      return `In ${recipe.path}:`;
  }
}
