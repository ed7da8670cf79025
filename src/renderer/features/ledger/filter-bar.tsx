import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import {
  emptyForm,
  isFiltering,
  type KnownAgent,
  ledgerStore,
} from '#renderer/stores/ledger/ledger-store.ts';
import { exportStore } from '#renderer/stores/ledger/export-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { cx, common, useFormats, Button, Select, TextField } from '#renderer/ui/index.ts';
import type { LedgerProfile } from '#shared/app-api/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { profileName } from './entry.tsx';
import styles from './ledger.module.css';
import type { Formats } from '#shared/lib/formats.ts';

const subjects = [
  { id: '', label: 'Everything' },
  { id: 'proposal', label: 'Proposals and decisions' },
  { id: 'write', label: 'Writes and verdicts' },
  { id: 'agent', label: 'Agents allowed and ended' },
  { id: 'agents', label: 'Agents frozen and allowed again' },
  { id: 'tool', label: 'Tools' },
  { id: 'guardrails', label: 'Guardrails' },
  { id: 'emergency-stop', label: 'Emergency stops' },
  { id: 'reversal', label: 'Reversals' },
  { id: 'ledger', label: 'Restores' },
  { id: 'details', label: 'Details and retention' },
  { id: 'key', label: 'Signing keys' },
];

export function FilterBar(): ReactElement {
  const formats = useFormats();
  const { filter, form, errors, agents, profiles, setForm } = useStore(ledgerStore);
  const zone = useStore(sessionStore, ({ session }) => session?.profile.zone ?? 'UTC');
  const day = (field: 'from' | 'until', label: string): ReactElement => (
    <TextField
      label={`${label} (${zone})`}
      placeholder="YYYY-MM-DD"
      value={form[field]}
      error={errors[field]}
      onChange={(text) => setForm({ [field]: text.trim() }, zone)}
    />
  );
  return (
    <section className={styles.bar} aria-label="Filter the rows">
      <Select
        label="Profile"
        value={form.profileId}
        options={[{ id: '', label: 'All profiles' }, ...profiles.map(profileOption)]}
        onChange={(profileId) => setForm({ profileId }, zone)}
      />
      <Select
        label="Agent"
        value={form.agentId}
        options={agentOptions(agents, 'Anyone', formats)}
        onChange={(agentId) => setForm({ agentId }, zone)}
      />
      <Select
        label="About"
        value={form.about}
        options={subjects}
        onChange={(about) => setForm({ about }, zone)}
      />
      <div className={styles.short}>
        <TextField
          label="Campaign ID"
          value={form.cid}
          error={errors.cid}
          onChange={(cid) => setForm({ cid }, zone)}
        />
      </div>
      <div className={styles.short}>{day('from', 'From')}</div>
      <div className={styles.short}>{day('until', 'Until')}</div>
      <div className={cx(common.row2, styles.actions)}>
        {isFiltering(filter) && <ClearFilters />}
        <ExportButton />
      </div>
      {filter.proposalId !== null && (
        <p className={styles.proposal}>
          Only <a href={routeHref({ page: 'proposals', id: filter.proposalId })}>one change</a>
        </p>
      )}
    </section>
  );
}

function profileOption(profile: LedgerProfile): { id: string; label: string } {
  const kind = profile.kind === 'live' ? 'LIVE' : 'Demo';
  return { id: profile.id, label: `${kind} · ${inertText(profileName(profile))}` };
}

export function ClearFilters(): ReactElement {
  const { form, filterBy } = useStore(ledgerStore);
  return (
    <Button kind="quiet" icon="close" onClick={() => filterBy(null)}>
      {form === emptyForm ? 'Show all rows' : 'Clear filters'}
    </Button>
  );
}

function ExportButton(): ReactElement {
  const formats = useFormats();
  const { flow, begin, cancel } = useStore(exportStore);
  const { filter, list } = useStore(ledgerStore);
  if (flow.kind === 'running') {
    return (
      <>
        <span role="status">{progressWords(flow, formats)}</span>
        <Button icon="close" onClick={cancel}>
          Cancel export
        </Button>
      </>
    );
  }
  if (flow.kind === 'cancelling') return <span role="status">Cancelling…</span>;
  return (
    <Button
      icon="download"
      disabled={list === null || list.total === 0}
      title="JSON Lines. A complete export verifies with countersign verify-ledger."
      onClick={() => void begin(filter)}
    >
      {isFiltering(filter) ? 'Export these rows…' : 'Export…'}
    </Button>
  );
}

function progressWords({ done, all }: { done: number; all: number | null }, formats: Formats): string {
  if (all === null) return 'Exporting…';
  return `${formats.count(done)} of ${formats.counted(all, 'row')}`;
}

export function agentOptions(
  agents: readonly KnownAgent[],
  all: string,
  formats: Formats,
): { id: string; label: string }[] {
  const nowMs = Date.now();
  return [
    { id: '', label: all },
    ...agents.map(({ id, name, sinceMs }) => ({
      id,
      label: `${inertText(name)} · ${formats.shortMoment(sinceMs, nowMs)}`,
    })),
  ];
}
