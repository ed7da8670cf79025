import { type ReactElement, type ReactNode, useEffect } from 'react';
import { useStore } from 'zustand';
import { behaviourStore } from './stores/support-store.ts';
import { desktopStore } from '#renderer/stores/desktop-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import type { Density, Theme } from '#renderer/stores/ui/ui-store.ts';
import { isTraining, uiStore } from '#renderer/stores/ui.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import {
  Banner,
  Card,
  Cards,
  Checkbox,
  PageFrame,
  Select,
  useFormats,
  Button,
  common,
  cx,
  FailureBanner,
  pages,
} from '#renderer/ui/index.ts';
import type { Formats, NumberFormat, ShownFormats } from '#shared/lib/formats.ts';
import { DataCards } from './data-cards.tsx';
import styles from './settings.module.css';
import { UpdatesCard } from './updates-part.tsx';
import type { StoreApi } from 'zustand/vanilla';
import {
  copyDaysStore,
  type RetentionDaysState,
  retentionDaysStore,
} from '#renderer/stores/ledger/export-store.ts';

export function SettingsView({ waitingTime }: { waitingTime: ReactNode }): ReactElement {
  const isDesktop = useStore(desktopStore, ({ present }) => present);
  return (
    <PageFrame title="Settings" count={null} guide={routeHref({ page: 'guide', place: 'backup' })}>
      <div className={pages.scroll}>
        <Cards>
          <Appearance />
          <NumbersAndTimes />
          {isDesktop && <DesktopCard />}
          <UpdatesCard />
          <Card title="Changes" level={2}>
            <div className={styles.narrow}>{waitingTime}</div>
          </Card>
          <Card title="How long things are kept" level={2}>
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
          </Card>
          <DataCards />
        </Cards>
      </div>
    </PageFrame>
  );
}

const themes: { id: Theme; label: string }[] = [
  { id: 'system', label: 'Use system theme' },
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
];

const densities: { id: Density; label: string }[] = [
  { id: 'normal', label: 'Normal' },
  { id: 'compact', label: 'Compact' },
];

function Appearance(): ReactElement {
  const { theme, density, setTheme, setDensity } = useStore(uiStore);
  return (
    <Card title="Appearance" level={2}>
      <div className={styles.fields}>
        <Select label="Theme" value={theme} options={themes} onChange={(id) => setTheme(id as Theme)} />
        <Select
          label="Rows"
          value={density}
          options={densities}
          onChange={(id) => setDensity(id as Density)}
        />
      </div>
    </Card>
  );
}

function DesktopCard(): ReactElement {
  const { behaviour, failure, read, change } = useStore(behaviourStore);
  useEffect(() => void read(), [read]);
  return (
    <Card title="Notifications and start" level={2}>
      {behaviour && (
        <div className={common.stack3}>
          <Checkbox
            label="Notify me of waiting changes and crossed alerts"
            hint="While you work elsewhere. A notification names no campaign."
            checked={behaviour.notifications}
            onChange={(notifications) => void change({ notifications })}
          />
          <Checkbox
            label="Start Countersign when I sign in to this computer"
            hint="So agents find it running; in the tray if the next box is ticked."
            checked={behaviour.startAtLogin}
            onChange={(startAtLogin) => void change({ startAtLogin })}
          />
          <Checkbox
            label="Keep running when the window is closed"
            hint="Agents and alerts still reach you. The tray icon opens the window; its menu quits."
            checked={behaviour.staysInTray}
            onChange={(staysInTray) => void change({ staysInTray })}
          />
        </div>
      )}
      {failure && <FailureBanner tone="warning" failure={failure} />}
    </Card>
  );
}

const numbers: { id: NumberFormat; label: string }[] = [
  { id: 'comma', label: '1,234.50 (comma)' },
  { id: 'space', label: '1\u202F234.50 (narrow space)' },
  { id: 'none', label: '1234.50 (no separator)' },
];

function NumbersAndTimes(): ReactElement | null {
  const { session, formatsFailure, chooseFormats } = useStore(sessionStore);
  if (session === null) return null;
  const { formats, profile } = session;
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones: { id: ShownFormats['moments']; label: string }[] = [
    { id: 'computer', label: `This computer (${here})` },
    { id: 'service', label: `The service’s days (${profile.zone})` },
    { id: 'utc', label: 'UTC' },
  ];
  return (
    <Card title="Numbers, times and days" level={2}>
      {isTraining() ? (
        <p className={styles.text}>Numbers and times are written as in Countersign itself.</p>
      ) : (
        <div className={styles.fields}>
          <Select
            label="Numbers"
            value={formats.numbers}
            options={numbers}
            onChange={(id) => void chooseFormats({ ...formats, numbers: id as NumberFormat })}
          />
          <Select
            label="Time zone"
            value={formats.moments}
            options={zones}
            onChange={(id) => void chooseFormats({ ...formats, moments: id as ShownFormats['moments'] })}
          />
        </div>
      )}
      {formatsFailure && <FailureBanner tone="warning" failure={formatsFailure} />}
      <p className={styles.text}>
        Days are the service’s: <strong>{profile.zone}</strong>.{' '}
        {profile.kind === 'live' && (
          <a href={routeHref({ page: 'profiles', id: profile.id })}>Change it in the profile</a>
        )}
      </p>
    </Card>
  );
}

interface RetentionSettingProps<D extends number | null> {
  store: StoreApi<RetentionDaysState<D>>;
  choices: readonly D[];
  name: string;
  label: string;
  what: string;
  loss: string;
  children: string;
}

function RetentionSetting<D extends number | null>(props: RetentionSettingProps<D>): ReactElement | null {
  const formats = useFormats();
  const { store, choices, name, label, what, loss, children } = props;
  const { days, asked, failure, choose, confirm, cancel } = useStore(store);
  useEffect(() => store.getState().start(), [store]);
  if (days === undefined) return null;
  const offered = choices.includes(days) ? choices : [days, ...choices];
  return (
    <section className={cx(common.stack2, styles.retention)} aria-label={name}>
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
      {failure && <FailureBanner tone="warning" failure={failure} />}
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
