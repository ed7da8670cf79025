import { type ReactElement, useEffect } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import {
  copyDaysStore,
  type RetentionDaysState,
  retentionDaysStore,
} from '#renderer/stores/ledger/export-store.ts';
import { useFormats, Banner, Button, Select } from '#renderer/ui/index.ts';
import styles from './settings.module.css';
import type { Formats } from '#shared/lib/formats.ts';

/** The time for which changes can be reversed. */
export function DetailsRetentionSetting(): ReactElement | null {
  return (
    <RetentionSetting
      store={retentionDaysStore}
      choices={[7, 30, 90, 365, null]}
      name="How long details are kept"
      label="Keep details of settled changes"
      what="details"
      loss="Those changes can no longer be reversed. This cannot be undone."
    >
      Without details, a change can’t be reversed.
    </RetentionSetting>
  );
}

/** The time for which a campaign can be restored as a draft. */
export function CopiesRetentionSetting(): ReactElement | null {
  return (
    <RetentionSetting
      store={copyDaysStore}
      choices={[7, 30, 90, 365]}
      name="How long copies of campaigns are kept"
      label="Keep daily copies of campaigns"
      what="copies"
      loss="Those states can no longer be restored. This cannot be undone."
    >
      Campaigns are restored from them under Earlier states.
    </RetentionSetting>
  );
}

interface RetentionSettingProps<D extends number | null> {
  store: StoreApi<RetentionDaysState<D>>;
  choices: readonly D[];
  name: string;
  label: string;
  /** Subject that is removed in the end, for a sentence. */
  what: string;
  /** The consequence of fewer days. */
  loss: string;
  children: string;
}

/** How long something is kept: the setting, what it means, and the question before some of it goes. */
function RetentionSetting<D extends number | null>(props: RetentionSettingProps<D>): ReactElement | null {
  const formats = useFormats();
  const { store, choices, name, label, what, loss, children } = props;
  const { days, asked, failure, choose, confirm, cancel } = useStore(store);
  useEffect(() => store.getState().start(), [store]);
  if (days === undefined) return null;
  const offered = choices.includes(days) ? choices : [days, ...choices];
  return (
    <section className={styles.retention} aria-label={name}>
      <Select
        label={label}
        value={idOf(days)}
        options={offered.map((choice) => ({ id: idOf(choice), label: labelOf(choice, formats) }))}
        onChange={(id) => {
          const choice = offered.find((one) => idOf(one) === id);
          if (choice !== undefined) choose(choice);
        }}
      />
      <p className={styles.quiet}>{children}</p>
      {asked !== undefined && (
        <Banner
          tone="warning"
          title={`Remove ${what} older than ${labelOf(asked, formats)}?`}
          actions={
            <>
              <Button size="small" onClick={() => void confirm()}>
                Remove {what}
              </Button>
              <Button size="small" kind="quiet" onClick={cancel}>
                Cancel
              </Button>
            </>
          }
        >
          {loss}
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

function idOf(days: number | null): string {
  return String(days ?? '');
}

function labelOf(days: number | null, formats: Formats): string {
  if (days === null) return 'Forever';
  return days === 365 ? '1 year' : formats.counted(days, 'day');
}
