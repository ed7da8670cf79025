import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import { updatesStore } from '#renderer/stores/desktop-store.ts';
import {
  useFormats,
  Age,
  Button,
  Buttons,
  Card,
  Checkbox,
  ForeignText,
  Icon,
  common,
  cx,
  FailureBanner,
  pages,
} from '#renderer/ui/index.ts';
import type { UpdateOffer, UpdatesOff, UpdateState, UpdatesView } from '#shared/host-api/index.ts';
import { assertNever } from '#shared/lib/assert-never.ts';
import styles from './settings.module.css';

export function UpdatesPart(): ReactElement | null {
  const { view, failure, setDaily } = useStore(updatesStore);
  if (view === null) return null;
  const { version, state, daily } = view;
  return (
    <div className={common.stack3}>
      <p className={styles.installed}>
        Installed: <strong>Countersign {version}</strong>
      </p>
      <Stage view={view} />
      {failure && <FailureBanner tone="warning" failure={failure} />}
      {state.kind !== 'off' && (
        <Checkbox
          label="Check for updates every day"
          hint="Nothing about you or this computer is sent."
          checked={daily}
          onChange={(checked) => void setDaily(checked)}
        />
      )}
    </div>
  );
}

export function UpdatesCard(): ReactElement | null {
  const isKnown = useStore(updatesStore, ({ view }) => view !== null);
  if (!isKnown) return null;
  return (
    <Card title="Updates" level={2}>
      <UpdatesPart />
    </Card>
  );
}

const step = (name: Parameters<ReturnType<typeof updatesStore.getState>['step']>[0]) => (): void =>
  void updatesStore.getState().step(name);

function Stage({ view }: { view: UpdatesView }): ReactElement {
  const { state } = view;
  switch (state.kind) {
    case 'off':
      return (
        <>
          <p className={common.soft}>{offWords[state.because]}</p>
          {state.because === 'policy' && <LookButton again />}
        </>
      );
    case 'idle':
      return <Idle lookedAtMs={view.lookedAtMs} />;
    case 'looking':
      return (
        <>
          <p className={common.row2} role="status">
            Checking for updates…
          </p>
          <LookButton disabled />
        </>
      );
    case 'refused':
      return (
        <>
          <FailureBanner tone="warning" failure={state.failure} />
          <LookButton again />
        </>
      );
    case 'available':
    case 'downloading':
    case 'ready':
    case 'waiting':
    case 'installing':
      return <Offered state={state} />;
    default:
      return assertNever(state);
  }
}

const offWords: Record<UpdatesOff, string> = {
  development: 'A development build does not update itself.',
  administrator: 'Updates come from your administrator.',
  policy: 'Switched off by your administrator.',
  'package-manager': 'Updates come from your package manager.',
};

function Idle({ lookedAtMs }: { lookedAtMs: number | null }): ReactElement {
  return (
    <>
      {lookedAtMs === null ? (
        <p className={common.row2}>Not checked yet.</p>
      ) : (
        <p className={common.row2} role="status">
          <Icon name="check-circle" />
          Up to date. Checked <Age atMs={lookedAtMs} />.
        </p>
      )}
      <LookButton />
    </>
  );
}

function LookButton(props: { disabled?: boolean; again?: boolean }): ReactElement {
  return (
    <Buttons>
      <Button icon="refresh" disabled={props.disabled} onClick={step('look')}>
        {props.again ? 'Check again' : 'Check for updates'}
      </Button>
    </Buttons>
  );
}

type OfferedState = Extract<UpdateState, { offer: UpdateOffer }>;

function Offered({ state }: { state: OfferedState }): ReactElement {
  const formats = useFormats();
  const { version, releasedAtMs, news } = state.offer;
  return (
    <section className={cx(common.stack3, common.inset, pages.framed)} aria-label={`Countersign ${version}`}>
      <div className={cx(common.wrap2, styles.offerHead)}>
        <h4 className={common.heading}>Countersign {version}</h4>
        <span className={common.soft}>{formats.day(releasedAtMs)}</span>
      </div>
      <ul className={common.stack1}>
        {news.map((line) => (
          <li key={line}>
            <ForeignText text={line} />
          </li>
        ))}
      </ul>
      <NextStep state={state} />
    </section>
  );
}

function NextStep({ state }: { state: OfferedState }): ReactElement {
  const { bytes } = state.offer;
  switch (state.kind) {
    case 'available':
      return (
        <Buttons>
          <Button kind="primary" icon="download" onClick={step('download')}>
            Download {megabytes(bytes)} MB
          </Button>
        </Buttons>
      );
    case 'downloading':
      return (
        <div className={cx(common.row3, pages.wrap)}>
          <progress
            className={styles.progress}
            value={state.receivedBytes}
            max={bytes}
            aria-label="Downloaded"
          />
          <span className={cx(common.soft, pages.tabular)}>
            {megabytes(state.receivedBytes)} of {megabytes(bytes)} MB
          </span>
          <Button size="small" onClick={step('cancel')}>
            Cancel
          </Button>
        </div>
      );
    case 'ready':
      return (
        <>
          <p className={common.soft}>
            Downloaded and verified. Countersign closes, installs it and opens again. Drafts and proposals
            stay.
          </p>
          <Buttons>
            <Button kind="primary" onClick={step('install')}>
              Install and restart
            </Button>
          </Buttons>
        </>
      );
    case 'waiting':
      return (
        <div className={cx(common.row3, pages.wrap)}>
          <p className={common.row2} role="status">
            <Icon name="clock" />
            {waitingWords[state.for]}
          </p>
          <Button size="small" onClick={step('cancel')}>
            Cancel
          </Button>
        </div>
      );
    case 'installing':
      return (
        <p className={common.row2} role="status">
          Installing. Countersign closes and opens again.
        </p>
      );
    default:
      return assertNever(state);
  }
}

const waitingWords: Record<Extract<UpdateState, { kind: 'waiting' }>['for'], string> = {
  check: 'Checking whether anything is open…',
  decision: 'Installs when the open confirmation is closed.',
  sending: 'Installs when everything approved has been sent.',
};

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);
