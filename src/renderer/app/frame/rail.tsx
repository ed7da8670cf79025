import { isTraining } from '#renderer/api/bridge.ts';
import { agentsStore } from '#renderer/stores/agents/agents-store.ts';
import { draftsStore } from '#renderer/stores/drafts/drafts-store.ts';
import { alertsStore, unseenAlertEvents } from '#renderer/stores/alerts-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { trainingWindowStore } from '#renderer/stores/training-stores.ts';
import { routeHref, type Route } from '#renderer/stores/ui/route.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { Badge, Icon, keysOf, Pill, type IconName } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { sections } from '../sections.ts';
import styles from './shell.module.css';

interface EntryProps {
  route: Route;
  label: string;
  icon: IconName;
  keyName?: string;
}

const parents: Partial<Record<Route['page'], Route['page']>> = {
  doctor: 'profiles',
  decisions: 'ledger',
  bulk: 'campaigns',
};

export function Rail(): ReactElement {
  const version = useStore(sessionStore, (state) => state.session?.version);
  return (
    <nav className={styles.rail} aria-label="Sections">
      {sections.map(({ name, ...entry }) => (
        <Entry key={name} {...entry} keyName={keysOf(name).join(' ')} />
      ))}
      <span className={styles.spacer} />
      {!isTraining() && <TrainingEntry />}
      <Entry route={{ page: 'guide', place: null }} label="Guide" icon="help" />
      {!isTraining() && (
        <>
          <Entry route={{ page: 'profiles', id: null }} label="Profiles" icon="profiles" />
          <Entry route={{ page: 'settings' }} label="Settings" icon="settings" />
        </>
      )}
      {version !== undefined && <p className={styles.brand}>Countersign {version}</p>}
    </nav>
  );
}

function TrainingEntry(): ReactElement {
  return (
    <button
      type="button"
      className={styles.entry}
      title="Training opens in a window of its own"
      onClick={() => void trainingWindowStore.getState().open()}
    >
      <Icon name="training" />
      <span className={styles.word}>Training</span>
      <span className={styles.opens}>
        <Icon name="external" size={12} />
      </span>
    </button>
  );
}

function Entry({ route, label, icon, keyName }: EntryProps): ReactElement {
  const page = useStore(uiStore, (state) => state.route.page);
  const kept = useStore(sessionStore, (state) => state.kept);
  const waiting = useStore(sessionStore, ({ status }) => status?.waiting ?? kept?.waiting ?? 0);
  const here = (parents[page] ?? page) === route.page;
  return (
    <a
      href={routeHref(route)}
      className={styles.entry}
      aria-current={here ? 'page' : undefined}
      title={keyName === undefined ? label : `${label} (key ${keyName})`}
    >
      <Icon name={icon} />
      <span className={styles.word}>{label}</span>
      {route.page === 'proposals' && waiting > 0 && (
        <Badge attention past={kept !== null} count={waiting} label={`${waiting} waiting`} />
      )}
      {route.page === 'drafts' && <Drafted />}
      {route.page === 'reports' && <UnseenAlerts />}
      {route.page === 'agents' && <Connected />}
    </a>
  );
}

function Drafted(): ReactElement | null {
  const kept = useStore(sessionStore, (state) => state.kept);
  const isPast = useStore(draftsStore, ({ isRead }) => !isRead) && kept !== null;
  const drafted = useStore(draftsStore, ({ campaigns }) => Object.keys(campaigns).length);
  const count = isPast ? kept.drafts : drafted;
  return count === 0 ? null : <Badge past={isPast} count={count} label={`${count} drafted`} />;
}

function UnseenAlerts(): ReactElement | null {
  const count = useStore(alertsStore, ({ view }) => unseenAlertEvents(view?.events));
  return count === 0 ? null : <Badge attention count={count} label={`${count} crossed`} />;
}

function Connected(): ReactElement | null {
  const view = useStore(agentsStore, (state) => state.view);
  if (view === null) return null;
  if (view.frozenSinceMs !== null) {
    return (
      <span className={styles.held} role="img" aria-label="frozen">
        <Icon name="pause" />
      </span>
    );
  }
  const count = view.agents.filter(({ connected }) => connected).length;
  if (count === 0) return null;
  return (
    <span aria-label={`${count} connected`}>
      <Pill tone="good" label={`${count}`} />
    </span>
  );
}
