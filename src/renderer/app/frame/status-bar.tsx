import { isTraining } from '#renderer/api/bridge.ts';
import { agentsStore } from '#renderer/stores/agents/agents-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { useFormats, cx, Icon } from '#renderer/ui/index.ts';
import type { StatusView } from '#shared/app-api/index.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './shell.module.css';
import { UpdateItem, VaultItem } from '../desktop.tsx';
import type { Formats } from '#shared/lib/formats.ts';

export function StatusBar(): ReactElement {
  const { status, kept, connection } = useStore(sessionStore);
  return (
    <footer className={styles.status} aria-label="Status">
      {connection.kind === 'lost' ? (
        <Lost sinceMs={connection.sinceMs} />
      ) : kept === null ? (
        <Service status={status} />
      ) : (
        <Starting keptAtMs={kept.keptAtMs} />
      )}
      <Agents />
      {status && <Waiting status={status} />}
      {status && <Ledger ledger={status.ledger} />}
      <HostNote />
      <VaultItem />
      <UpdateItem />
    </footer>
  );
}

function Lost({ sinceMs }: { sinceMs: number }): ReactElement {
  const formats = useFormats();
  return (
    <span className={cx(styles.item, styles.loud)} role="alert">
      <Icon name="offline" size={12} />
      Countersign not reached since {formats.clock(sinceMs)}; trying again
    </span>
  );
}

function Starting({ keptAtMs }: { keptAtMs: number }): ReactElement {
  const formats = useFormats();
  return (
    <span className={cx(styles.item, styles.starting)} role="status">
      <Icon name="refresh" size={12} />
      Starting; actions wait · shown as of {formats.shortMoment(keptAtMs, Date.now())}
    </span>
  );
}

function Service({ status }: { status: StatusView | null }): ReactElement {
  const formats = useFormats();
  const state = status?.service.state ?? 'unknown';
  const latency = status?.service.latencyMs ?? null;
  const time = state === 'ready' && latency !== null ? ` ${Math.max(1, Math.round(latency))} ms` : '';
  const away = state === 'unreachable' || state === 'signed-out';
  return (
    <span className={cx(styles.item, away && styles.loud)} role="status" title={status?.writing.off?.next}>
      <span aria-hidden className={cx(styles.dot, state === 'ready' && styles.good, away && styles.bad)} />
      <span>{`${serviceWords(status, formats)}${time}`}</span>
    </span>
  );
}

function serviceWords(status: StatusView | null, formats: Formats): string {
  const { state, retryAtMs } = status?.service ?? { state: 'unknown' as const, retryAtMs: null };
  const word = state === 'signed-out' ? 'signed out' : state;
  const wait = retryAtMs === null ? '' : `, no more requests until ${formats.exactClock(retryAtMs)}`;
  return `service ${word}${wait}`;
}

function Agents(): ReactElement | null {
  const view = useStore(agentsStore, (state) => state.view);
  if (view === null) return null;
  const closed = view.endpoint.problem !== null;
  const count = view.agents.filter(({ connected }) => connected).length;
  const words = closed ? 'agents cannot connect' : `agents ${count}`;
  return (
    <a className={cx(styles.item, closed && styles.loud)} href={routeHref({ page: 'agents' })}>
      {words}
    </a>
  );
}

function Waiting({ status }: { status: StatusView }): ReactElement {
  return (
    <a className={styles.item} href={routeHref({ page: 'proposals', id: null })}>
      waiting {status.waiting}
      {status.unknown > 0 && <span className={styles.loud}> · unknown outcome {status.unknown}</span>}
    </a>
  );
}

function Ledger({ ledger }: { ledger: StatusView['ledger'] }): ReactElement {
  const formats = useFormats();
  const isLoud = ledger.state === 'broken' || ledger.anchorFailedSinceMs !== null;
  return (
    <a className={cx(styles.item, isLoud && styles.loud)} href={routeHref({ page: 'ledger' })}>
      {isLoud && <Icon name="warning" size={12} />}
      <span>{ledgerWords(ledger, formats)}</span>
    </a>
  );
}

function ledgerWords(
  { state, sealedAtMs, anchorFailedSinceMs }: StatusView['ledger'],
  formats: Formats,
): string {
  if (state === 'broken') return 'ledger does not verify';
  if (anchorFailedSinceMs !== null) return 'ledger anchor not written';
  return sealedAtMs === null ? 'ledger empty' : `ledger sealed ${formats.clock(sealedAtMs)}`;
}

function HostNote(): ReactElement | null {
  const isBrowser = useStore(sessionStore, ({ session }) => session?.host === 'browser');
  if (!isTraining() && !isBrowser) return null;
  return (
    <span className={cx(styles.item, styles.push)}>
      {isTraining() ? 'training · nothing here is real' : 'browser host · demo only'}
    </span>
  );
}
