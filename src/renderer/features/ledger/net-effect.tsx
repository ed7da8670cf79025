import type { NetChange } from '#shared/app-api/index.ts';
import { useEffect, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { retentionDaysStore } from '#renderer/stores/ledger/export-store.ts';
import { ledgerStore } from '#renderer/stores/ledger/ledger-store.ts';
import { netEffectStore, type Since } from './stores/net-effect-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import {
  cx,
  common,
  useFormats,
  Banner,
  Button,
  DiffLine,
  ForeignText,
  Select,
  Skeleton,
  TextField,
  FailureBanner,
  pages,
} from '#renderer/ui/index.ts';
import { agentOptions } from './filter-bar.tsx';
import styles from './ledger.module.css';

const sinceOptions: { id: Since; label: string }[] = [
  { id: 'today', label: 'Today' },
  { id: 'week', label: 'The last 7 days' },
  { id: 'date', label: 'A day…' },
];

export function NetEffect(): ReactElement {
  const formats = useFormats();
  const zone = useStore(sessionStore, ({ session }) => session?.profile.zone ?? 'UTC');
  const { items, prunedCount, unreadableCount, failure, refusal, dismiss } = useStore(netEffectStore);
  useEffect(() => netEffectStore.getState().start(zone), [zone]);
  return (
    <div className={cx(common.stack4, pages.scroll, styles.panel)}>
      <Question zone={zone} />
      {failure && <FailureBanner tone="warning" failure={failure} />}
      {refusal && (
        <FailureBanner
          tone={refusal.code === 'nothing_to_reverse' ? 'info' : 'warning'}
          failure={refusal}
          onDismiss={dismiss}
        />
      )}
      {prunedCount > 0 && <Pruned count={prunedCount} />}
      {unreadableCount > 0 && (
        <Banner
          tone="warning"
          title={`${formats.counted(unreadableCount, 'change can’t be read and is', 'changes can’t be read and are')} not counted.`}
        />
      )}
      {items === null ? !failure && <Skeleton width="48%" /> : <Changes items={items} />}
    </div>
  );
}

function Pruned({ count }: { count: number }): ReactElement {
  const formats = useFormats();
  const days = useStore(retentionDaysStore, (state) => state.days);
  useEffect(() => retentionDaysStore.getState().start(), []);
  const after = typeof days === 'number' ? ` after ${days} days` : '';
  return (
    <Banner
      tone="info"
      title={`${formats.counted(count, 'older change is', 'older changes are')} not counted.`}
    >
      Their details were removed{after}. <a href={routeHref({ page: 'settings' })}>Change it in Settings</a>
    </Banner>
  );
}

function Question({ zone }: { zone: string }): ReactElement {
  const formats = useFormats();
  const agents = useStore(ledgerStore, (state) => state.agents);
  const { since, date, dateError, agentId, ask, items, reversing, reverse } = useStore(netEffectStore);
  return (
    <div className={styles.question}>
      <Select
        label="Agents"
        value={agentId}
        options={agentOptions(agents, 'All agents', formats)}
        onChange={(id) => ask({ agentId: id })}
      />
      <Select
        label={`Since (${zone})`}
        value={since}
        options={sinceOptions}
        onChange={(id) => ask({ since: id as Since })}
      />
      {since === 'date' && (
        <TextField
          label={`First day (${zone})`}
          placeholder="YYYY-MM-DD"
          value={date}
          error={dateError ?? undefined}
          onChange={(text) => ask({ date: text.trim() })}
        />
      )}
      <Button
        className={styles.reverse}
        icon="reset"
        disabled={reversing || items === null || items.length === 0}
        onClick={() => void reverse()}
      >
        {reversing ? 'Reading the campaigns…' : 'Reverse…'}
      </Button>
    </div>
  );
}

function Changes({ items }: { items: readonly NetChange[] }): ReactElement {
  if (items.length === 0) {
    return <p className={styles.quiet}>No changes of agents from this time.</p>;
  }
  const byCampaign = Map.groupBy(items, ({ cid }) => cid);
  return (
    <>
      <p className={styles.quiet}>Reversing skips fields that changed since, and waits for your approval.</p>
      {[...byCampaign].map(([cid, changes]) => (
        <Campaign key={cid} cid={cid} changes={changes} />
      ))}
    </>
  );
}

function Campaign({ cid, changes }: { cid: number; changes: readonly NetChange[] }): ReactElement {
  const formats = useFormats();
  const name = changes.at(-1)?.name ?? '';
  return (
    <section aria-label={`Campaign ${cid}`}>
      <h2 className={common.strong}>
        <a href={routeHref({ page: 'campaigns', cid })}>
          <ForeignText text={name} />
        </a>{' '}
        <span className={styles.cid}>{cid}</span>
      </h2>
      {changes.map(({ change, steps, agents }) => (
        <div key={change.field} className={styles.change}>
          <DiffLine change={change} />
          <p className={cx(common.small, styles.by)}>
            {formats.counted(steps, 'change')} by <ForeignText text={agents.join(', ')} />
          </p>
        </div>
      ))}
    </section>
  );
}
