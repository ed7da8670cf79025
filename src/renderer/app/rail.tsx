import { sessionStore } from '#renderer/stores/session/index.ts';
import { routeHref, uiStore, type Route } from '#renderer/stores/ui/index.ts';
import { Badge, Icon, type IconName } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './bars.module.css';

const entries: { route: Route; label: string; icon: IconName }[] = [
  { route: { page: 'campaigns', cid: null }, label: 'Campaigns', icon: 'campaigns' },
  { route: { page: 'proposals', id: null }, label: 'Proposals', icon: 'proposals' },
  { route: { page: 'ledger' }, label: 'Ledger', icon: 'ledger' },
];

/** The sections of the app. */
export function Rail(): ReactElement {
  const page = useStore(uiStore, (state) => state.route.page);
  const waiting = useStore(sessionStore, (state) => state.status?.waiting ?? 0);
  const version = useStore(sessionStore, (state) => state.session?.version);
  return (
    <nav className={styles.rail} aria-label="Sections">
      {entries.map(({ route, label, icon }) => (
        <a
          key={route.page}
          href={routeHref(route)}
          className={styles.entry}
          aria-current={page === route.page ? 'page' : undefined}
          title={label}
        >
          <Icon name={icon} />
          <span className={styles.word}>{label}</span>
          {route.page === 'proposals' && waiting > 0 && (
            <Badge attention count={waiting} label={`${waiting} waiting`} />
          )}
        </a>
      ))}
      <span className={styles.spacer} />
      {version !== undefined && <p className={styles.brand}>Countersign {version}</p>}
    </nav>
  );
}
