import { type ReactElement, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { aboutStore, type AboutState } from './stores/about-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { cx, Banner, Button, DefinitionList, Dialog, Disclosure, common, pages } from '#renderer/ui/index.ts';
import styles from './about.module.css';

export function AboutDialog(): ReactElement {
  const { notices, hasChromiumNotices, load, openChromiumNotices } = useStore(aboutStore);
  useEffect(() => void load(), [load]);
  return (
    <Dialog title="About Countersign" onClose={() => uiStore.getState().show(null)}>
      <div className={common.stack4}>
        <VersionList />
        <p className={common.soft}>
          No telemetry: Countersign connects only to your services, to pictures of a campaign that you open,
          and to the publisher for updates if you let it.
        </p>
        <section className={common.stack2} aria-label="Licences">
          <h3 className={common.subheading}>Licences</h3>

          <NoticeList notices={notices} />
          {hasChromiumNotices && (
            <p className={cx(pages.row4, pages.between)}>
              <span className={common.soft}>Chromium has a list of its own.</span>
              <Button onClick={() => void openChromiumNotices()}>Open Chromium’s licences</Button>
            </p>
          )}
        </section>
      </div>
    </Dialog>
  );
}

function VersionList(): ReactElement {
  const { versions, copy } = useStore(aboutStore);
  const version = useStore(sessionStore, ({ session }) => session?.version ?? '');
  const [copied, setCopied] = useState(false);
  const items: [string, string][] = [
    ['Countersign', versions?.app ?? version],
    ...(versions === null
      ? []
      : ([
          ['Electron', versions.electron],
          ['Chromium', versions.chromium],
          ['Node', versions.node],
        ] satisfies [string, string][])),
  ];
  const copyAll = async (): Promise<void> => {
    await copy(items.map((item) => item.join(' ')).join('\n'));
    setCopied(true);
  };
  return (
    <>
      {versions !== null && versions.test !== null && (
        <Banner tone="warning" title="This package was made for tests.">
          Do not use it for real campaigns. Made for: {versions.test}.
        </Banner>
      )}
      <div className={styles.versions}>
        <DefinitionList items={items.map(([term, value]) => ({ key: term, term, value }))} />
        <Button icon={copied ? 'check' : 'copy'} onClick={() => void copyAll()}>
          {copied ? 'Copied' : 'Copy versions'}
        </Button>
      </div>
    </>
  );
}

function NoticeList({ notices }: Pick<AboutState, 'notices'>): ReactElement {
  if (notices === 'loading') return <p className={common.soft}>Loading…</p>;
  if (notices === null) return <p className={common.soft}>A development build has no list.</p>;
  return (
    <div className={styles.list}>
      {notices.map(({ name, version, identifier, text }) => (
        <Disclosure key={`${name}@${version}`} title={`${name} ${version}`} aside={identifier}>
          <pre className={cx(common.small, styles.text)}>{text}</pre>
        </Disclosure>
      ))}
    </div>
  );
}
