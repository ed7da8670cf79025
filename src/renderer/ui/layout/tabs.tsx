import { type ReactElement, type ReactNode, useState } from 'react';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components/Tabs';
import styles from './tabs.module.css';

export interface TabsProps {
  label: string;
  tabs: readonly { id: string; title: string; content: ReactNode }[];
}

/** Shows the first tab until a person chooses another. */
export function Tabs({ label, tabs }: TabsProps): ReactElement {
  const [chosen, setChosen] = useState<string | null>(null);
  const selected = tabs.find(({ id }) => id === chosen) ?? tabs[0];
  return (
    <AriaTabs selectedKey={selected?.id ?? ''} onSelectionChange={(key) => setChosen(String(key))}>
      <TabList className={styles.tabs ?? ''} aria-label={label}>
        {tabs.map(({ id, title }) => (
          <Tab key={id} id={id} className={styles.tab ?? ''}>
            {title}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id}>
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
