import type { KeptDays } from '#shared/app-api/index.ts';
import { useEffect, type ReactElement } from 'react';
import { useStore } from 'zustand';
import { keptDaysStore } from '#renderer/stores/ledger/index.ts';
import { Banner, Button, Select } from '#renderer/ui/index.ts';
import styles from './ledger.module.css';

const choices: { id: string; label: string; days: KeptDays }[] = [
  { id: '7', label: '7 days', days: 7 },
  { id: '30', label: '30 days', days: 30 },
  { id: '90', label: '90 days', days: 90 },
  { id: '365', label: '1 year', days: 365 },
  { id: '', label: 'Forever', days: null },
];

/** How long changes can be reversed: the setting, what it means, and the question before details go. */
export function KeptDaysSetting(): ReactElement | null {
  const { days, asked, failure, choose, confirm, cancel } = useStore(keptDaysStore);
  useEffect(() => keptDaysStore.getState().start(), []);
  if (days === undefined) return null;
  return (
    <section className={styles.kept} aria-label="How long details are kept">
      <Select
        label="Keep details of settled changes"
        value={String(days ?? '')}
        options={choices}
        onChange={(id) => {
          const choice = choices.find((one) => one.id === id);
          if (choice) choose(choice.days);
        }}
      />
      <p className={styles.quiet}>
        Values before and after, payloads and answers. Without them a change cannot be reversed or counted
        here. Ledger rows are never removed.
      </p>
      {asked !== undefined && (
        <Banner
          tone="warning"
          title={`Remove details older than ${choices.find((one) => one.days === asked)?.label ?? ''}?`}
          actions={
            <>
              <Button size="small" onClick={() => void confirm()}>
                Remove details
              </Button>
              <Button size="small" kind="quiet" onClick={cancel}>
                Cancel
              </Button>
            </>
          }
        >
          Those changes can no longer be reversed. This cannot be undone.
        </Banner>
      )}
      {failure && (
        <Banner tone="warning" title={failure.message}>
          {failure.next}
        </Banner>
      )}
    </section>
  );
}
