import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { profilesStore } from '#renderer/stores/profiles/profiles-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { isTraining, uiStore } from '#renderer/stores/ui.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import {
  cx,
  focusContent,
  Region,
  ToastCorner,
  useFormats,
  FailureToast,
  ForeignText,
  Question,
  Toast,
} from '#renderer/ui/index.ts';
import { type ReactElement, type ReactNode, Suspense, useEffect } from 'react';
import { type StoreApi, useStore } from 'zustand';
import { LostBanner } from '../desktop.tsx';
import { FreezeNotices, NotPausedBand, PausedBand, PolicyBand } from '../freeze.tsx';
import {
  gateOf,
  dialogFault,
  noticeFault,
  pageFault,
  railFault,
  statusFault,
  titleBarFault,
} from './faults.tsx';
import { ShortcutsDialog, useShortcuts } from '../commands/shortcuts.tsx';
import { Page } from './page.tsx';
import { Palette } from '../commands/palette.tsx';
import { Rail } from './rail.tsx';
import { StatusBar } from './status-bar.tsx';
import { TitleBar } from './title-bar.tsx';
import styles from './shell.module.css';
import { confirmWindowName } from '#renderer/api/host-services.ts';
import { alertsStore, unseenAlertEvents } from '#renderer/stores/alerts-store.ts';
import { reviewStore } from '#renderer/stores/review-store.ts';
import { trainingWindowStore } from '#renderer/stores/training-stores.ts';
import type { AppError } from '#shared/errors/index.ts';
import { lazily } from '../lazily.ts';

const FirstStart = lazily(
  async () => (await import('#renderer/features/first-start/first-start.tsx')).FirstStart,
);

const MoneyLine = lazily(async () => (await import('#renderer/features/money/money-line.tsx')).MoneyLine);

const UpdatesDialog = lazily(async () => (await import('../desktop-dialogs.tsx')).UpdatesDialog);

const VaultDialog = lazily(async () => (await import('../desktop-dialogs.tsx')).VaultDialog);

const AboutDialog = lazily(
  async () => (await import('#renderer/features/about/about-dialog.tsx')).AboutDialog,
);

const messages = [
  <OpeningToast
    key="review"
    store={reviewStore}
    target={confirmWindowName()}
    words="Open the confirmation"
  />,
  <OpeningToast key="training" store={trainingWindowStore} target="_blank" words="Open training" />,
  <AlertToast key="alerts" />,
  <Switching key="switching" />,
  <FreezeNotices key="freeze" />,
];

interface ShellProps {
  titleBar?: ReactNode;
  notice?: ReactNode;
  hasRail?: boolean;
  page?: ReactNode;
}

export function Shell({
  titleBar = <TitleBar />,
  notice,
  hasRail = true,
  page = <Page />,
}: ShellProps): ReactElement {
  useShortcuts();
  // The first current rows are drawn before anything else is loaded.
  const hasList = useStore(
    campaignsStore,
    ({ list, kept, failure }) => (list !== null && kept === null) || failure !== null,
  );
  useFirstStart(hasList);
  const overlay = useStore(uiStore, (state) => state.overlay);
  const connection = useStore(sessionStore, (state) => state.connection);
  // During a switch of profiles no rows are shown: they could belong to either profile.
  const isReloading = useStore(sessionStore, (state) => state.isReloading);
  const switching = useStore(profilesStore, (state) => state.doing?.kind === 'switch');
  const href = useStore(uiStore, (state) => routeHref(state.route));
  const going = isReloading || switching;
  const written = useWritten();
  const gate = gateOf(connection);
  // These dialogs need no core, so they can open even above the page of a core that cannot start.
  const ofDesktop = (
    <Suspense>
      {overlay === 'updates' && <UpdatesDialog />}
      {overlay === 'about' && <AboutDialog />}
    </Suspense>
  );
  if (gate !== null)
    return (
      <>
        {gate}
        {ofDesktop}
      </>
    );
  return (
    <ToastCorner>
      <div className={cx(styles.shell, !hasRail && styles.railless)}>
        <button type="button" className={styles.skip} onClick={focusContent}>
          Skip to content
        </button>
        <Region fallback={titleBarFault}>{titleBar}</Region>
        {hasRail && (
          <Region fallback={railFault}>
            <Rail />
          </Region>
        )}
        <div className={styles.notice}>
          <Region fallback={noticeFault}>{notice}</Region>
          <Region fallback={noticeFault}>
            <LostBanner />
            <PolicyBand />
          </Region>
          <Region fallback={noticeFault}>
            <NotPausedBand />
            <PausedBand />
          </Region>
        </div>
        <main className={cx(styles.page, going && styles.going)} aria-busy={going} inert={going}>
          {isReloading || written === null ? null : (
            <Region key={written} fallback={pageFault} place={href}>
              {page}
            </Region>
          )}
        </main>
        {hasRail && (
          <div className={styles.money}>
            <Region fallback={null}>{hasList && !going && <Suspense>{<MoneyLine />}</Suspense>}</Region>
          </div>
        )}
        <Region fallback={statusFault}>
          <StatusBar />
        </Region>
        {messages.map((message) => (
          <Region key={message.key} fallback={null}>
            {message}
          </Region>
        ))}
        <Region fallback={dialogFault} place={overlay ?? ''}>
          {/* Loaded with the page: the key after the one that opens the palette must find the focus in it. */}
          {overlay === 'palette' && <Palette />}
          {overlay === 'shortcuts' && <ShortcutsDialog />}
          {ofDesktop}
          <Suspense>
            {overlay === 'vault' && <VaultDialog />}
            {overlay === 'first-start' && <FirstStart />}
          </Suspense>
        </Region>
      </div>
    </ToastCorner>
  );
}

/**
 * Changes with the format of numbers and times, so that every page except the settings is redrawn. Null until the
 * format is known.
 */
function useWritten(): string | null {
  const isSettings = useStore(uiStore, ({ route }) => route.page === 'settings' && !isTraining());
  return useStore(sessionStore, ({ session, failure }) => {
    if (session === null) return failure === null ? null : '';
    const { formats, profile } = session;
    return isSettings ? 'settings' : `${formats.numbers} ${formats.moments} ${profile.zone}`;
  });
}

/** Shown only after the first rows, which it would delay. */
function useFirstStart(hasList: boolean): void {
  const isDue = useStore(sessionStore, ({ session }) => session?.isFirstStart === true);
  useEffect(() => {
    const { overlay, show } = uiStore.getState();
    if (isDue && hasList && overlay === null) show('first-start');
  }, [isDue, hasList]);
}

interface Opening {
  blocked: string | null;
  failure: AppError | null;
  dismiss: () => void;
}

interface OpeningToastProps {
  store: Pick<StoreApi<Opening>, 'getState' | 'getInitialState' | 'subscribe'>;
  target: string;
  words: string;
}

function OpeningToast({ store, target, words }: OpeningToastProps): ReactElement | null {
  const { blocked, failure, dismiss } = useStore(store);
  if (blocked === null) return failure && <FailureToast failure={failure} onDismiss={dismiss} />;
  const rel = target === '_blank' ? 'noreferrer' : undefined;
  return (
    <Toast tone="info" icon="external" title="Pop-up blocked." onDismiss={dismiss}>
      <a href={blocked} target={target} rel={rel} onClick={dismiss}>
        {words}
      </a>
    </Toast>
  );
}

function AlertToast(): ReactElement | null {
  const formats = useFormats();
  const { news, view, dismissNews } = useStore(alertsStore);
  if (news === null) return null;
  const count = unseenAlertEvents(view?.events);
  return (
    <Toast
      tone="warning"
      icon="alerts"
      title={`${formats.counted(count, 'report alert')} crossed.`}
      onDismiss={dismissNews}
    >
      <a href="#/reports?part=alerts" onClick={dismissNews}>
        Open alerts
      </a>
    </Toast>
  );
}

function Switching(): ReactElement | null {
  const { list, asking, refusal, stay, discardAndSwitch, dismiss } = useStore(profilesStore);
  if (asking !== null) {
    const name = list?.items.find(({ id }) => id === asking)?.name ?? '';
    return (
      <Question
        title="Discard unfinished input?"
        stay="Stay here"
        confirmLabel="Discard and switch"
        onStay={stay}
        onConfirm={() => void discardAndSwitch()}
      >
        <p>
          What you typed is not a valid value yet, and is lost when you switch to <ForeignText text={name} />.
          Drafts are kept.
        </p>
      </Question>
    );
  }
  if (refusal?.of.kind !== 'switch') return null;
  return (
    <FailureToast failure={refusal.failure} onDismiss={dismiss}>
      The active profile is the same as before.
    </FailureToast>
  );
}
