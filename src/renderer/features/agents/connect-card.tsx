import { Card, Select } from '#renderer/ui/index.ts';
import { useState, type ReactElement } from 'react';
import styles from './agents.module.css';
import { CopiedText } from './copied-text.tsx';
import { knownClients, type KnownClient, type Recipe } from './known-clients.ts';

/** How each known client is connected, exactly, to be copied. */
export function ConnectCard({ url }: { url: string }): ReactElement | null {
  const [chosen, setChosen] = useState('claude-code');
  if (url === '') return null;
  const clients = knownClients(url);
  const client = clients.find(({ id }) => id === chosen) ?? clients[0];
  return (
    <Card level={2} title="Connect a client">
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
    </Card>
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
