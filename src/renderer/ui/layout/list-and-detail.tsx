import { type ReactElement, type ReactNode, type Ref, useState } from 'react';
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components/Tabs';
import { cx } from '../cx.ts';
import pages from '../styles/pages.module.css';
import styles from './list-and-detail.module.css';

interface ListAndDetailProps {
  list: ReactElement;
  detail: ReactNode;
  label: string;
  back: { href: string; name: string } | null;
  wide?: boolean;
  /** With a ref, the detail gets the focus by code only and is no Tab stop. */
  ref?: Ref<HTMLElement>;
}

export function ListAndDetail(props: ListAndDetailProps): ReactElement {
  const { list, detail, label, back, wide = false, ref } = props;
  return (
    <div className={cx(styles.columns, wide && styles.wide, back !== null && styles.chosen)}>
      {list}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and the keyboard scrolls only what can have the focus */}
      <section ref={ref} className={styles.detail} aria-label={label} tabIndex={ref === undefined ? 0 : -1}>
        {back !== null && (
          <a className={styles.back} href={back.href}>
            {back.name}
          </a>
        )}
        {detail}
      </section>
    </div>
  );
}

export function ListHeading({ title, count }: { title: string; count: number | null }): ReactElement {
  return (
    <h2 className={cx(pages.smallHeading, styles.heading)}>
      {title} <span>{count ?? ''}</span>
    </h2>
  );
}

interface TabsProps {
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
