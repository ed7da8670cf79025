import { lazy, type ReactElement, Suspense, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { notesStore } from '#renderer/stores/notes-store.ts';
import { flightsStore } from '#renderer/stores/campaigns/flights-store.ts';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { gridStore } from '#renderer/stores/campaigns/grid-store.ts';
import { excludes, narrows } from '#renderer/stores/campaigns/filter.ts';
import { formatList, parseList } from './stores/list-address.ts';
import { fullStore, lastChangesStore, listViewsStore, waitingStore } from './stores/list-stores.ts';
import { oldestReadMs } from '#renderer/stores/campaigns/paged-list.ts';
import { returnsStore } from '#renderer/stores/campaigns/returns-store.ts';
import { desktopStore } from '#renderer/stores/desktop-store.ts';
import { stopAll } from '#renderer/stores/follow-core.ts';
import { editorStore } from '#renderer/stores/editor/editor-store.ts';
import { profilesStore } from '#renderer/stores/profiles/profiles-store.ts';
import { profileStep, sessionStore } from '#renderer/stores/session-store.ts';
import { routeHref } from '#renderer/stores/ui/route.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import {
  cx,
  common,
  useFormats,
  Age,
  Banner,
  Button,
  EmptyState,
  FailureAction,
  GuideLink,
  LinkButton,
  useLongerThan,
} from '#renderer/ui/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { ActivationDialog, BulkBar, changeSelection, moves, proposeForSelection } from './bulk-bar.tsx';
import { CampaignTable } from './campaign-table.tsx';
import styles from './campaigns.module.css';
import { countWords } from './list-rules.ts';
import { ConditionBar } from './find/condition-bar.tsx';
import { Filters } from './filters.tsx';
import { PauseUntil } from './pause-until.tsx';

const skeletonAfterMs = 200;

const ReturnOffer = lazy(async () => ({ default: (await import('./return-offer.tsx')).ReturnOffer }));

export function CampaignsView(): ReactElement {
  usePageStores();
  useListAddress();
  useCloseExcludedCampaign();
  useNoFocusWithoutRows();
  useDropCellsOnProfileChange();
  return (
    <div className={cx(common.stack, styles.view)}>
      <Toolbar />
      <ConditionBar />
      <Notices />
      <Returns />
      <div className={styles.body}>
        <ListBody />
      </div>
      <BulkBar />
      <ActivationDialog />
      <PauseUntil />
      <GridLayer />
    </div>
  );
}

function Returns(): ReactElement | null {
  const isShown = useStore(returnsStore, ({ offers, failure }) => offers.length > 0 || failure !== null);
  return isShown ? (
    <Suspense>
      <ReturnOffer />
    </Suspense>
  ) : null;
}

function usePageStores(): void {
  useEffect(() => {
    const stores = [flightsStore, fullStore, lastChangesStore, listViewsStore, waitingStore];
    return stopAll(...stores.map((store) => store.getState().start()));
  }, []);
}

/** Synchronises the list and the parameters of the address, so that a reload shows the same list. */
function useListAddress(): void {
  const { filter, conditions } = useStore(campaignsStore);
  const route = useStore(uiStore, (state) => state.route);
  const isHere = route.page === 'campaigns';
  const parameters = isHere ? (route.parameters ?? '') : null;
  useEffect(() => {
    if (parameters === null || parameters === '') return;
    if (parameters !== formatList(campaignsStore.getState()))
      campaignsStore.getState().applyView(parseList(parameters));
  }, [parameters]);
  useEffect(() => {
    const { route: now, replace } = uiStore.getState();
    // Reads the current route again, because the effect above may have changed it.
    if (now.page === 'campaigns') replace({ ...now, parameters: formatList(campaignsStore.getState()) });
  }, [filter, conditions, parameters]);
}

/**
 * Closes the panel only if a new search or filter excludes its campaign, not if the campaign leaves the list for another
 * reason.
 */
function useCloseExcludedCampaign(): void {
  const { list, filter, conditions, loading } = useStore(campaignsStore);
  const judged = useRef({ ...filter, conditions });
  useEffect(() => {
    if (loading || !list) return;
    const { query, status, types, conditions: before } = judged.current;
    judged.current = { ...filter, conditions };
    const isSame = query === filter.query && status === filter.status && types === filter.types;
    if (isSame && before === conditions) return;
    const { route, navigate } = uiStore.getState();
    if (route.page !== 'campaigns' || route.cid === null) return;
    const { cid } = route;
    const edit = editorStore.getState().campaigns[cid]?.detail?.edit;
    const { labels, byCid } = notesStore.getState();
    const one = {
      cid,
      stored: edit?.campaign,
      typeName: edit?.campaign_types[Number(edit.campaign['type'])]?.name ?? '',
      labels: byCid.get(cid)?.labels ?? [],
    };
    if (excludes(list, filter, one, new Map(labels.map(({ id, name }) => [id, name])))) {
      navigate({ page: 'campaigns', cid: null });
    }
  }, [list, filter, conditions, loading]);
}

function useNoFocusWithoutRows(): void {
  const wanted = useStore(uiStore, (state) => state.wantedFocus);
  const { list, loading } = useStore(campaignsStore);
  const none = !loading && (list?.total ?? 0) === 0;
  useEffect(() => {
    if (none && (wanted === 'list' || wanted === 'first-row')) uiStore.getState().focusTaken();
  }, [none, wanted]);
}

const OpenLayer = lazy(async () => ({ default: (await import('./grid/grid-overlays.tsx')).GridOverlays }));

function GridLayer(): ReactElement | null {
  const isOpen = useStore(
    gridStore,
    ({ menu, pasted, notice }) => menu !== null || pasted !== null || notice !== null,
  );
  return isOpen ? (
    <Suspense>
      <OpenLayer statusChanges={moves} onChange={changeSelection} onStatusChange={proposeForSelection} />
    </Suspense>
  ) : null;
}

function useDropCellsOnProfileChange(): void {
  const profileId = useStore(sessionStore, ({ session }) => session?.profile.id ?? null);
  const before = useRef(profileId);
  useEffect(() => {
    if (before.current !== null && before.current !== profileId) gridStore.getState().forget();
    before.current = profileId;
  }, [profileId]);
}

function NotListed({ failure }: { failure: AppError }): ReactElement {
  const profileId = useStore(sessionStore, ({ session }) => session?.profile.id ?? null);
  const step = useStore(sessionStore, (state) => profileStep(state, failure.code));
  const signedOut = useStore(profilesStore, (state) => state.signedOut?.id === profileId);
  return (
    <EmptyState
      icon={step === null ? 'offline' : 'lock'}
      title={signedOut ? 'You signed out of this profile.' : failure.message}
      action={
        <FailureAction
          step={step}
          href={routeHref({ page: 'profiles', id: profileId })}
          onRetry={campaignsStore.getState().reload}
        />
      }
    >
      {step === null ? (
        `${failure.next} Nothing was changed.`
      ) : (
        <span>
          Its campaigns are listed again after that. Nothing was changed; proposals and the ledger stay.
        </span>
      )}
    </EmptyState>
  );
}

function ListBody(): ReactElement | null {
  const { list, filter, conditions, failure, reload } = useStore(campaignsStore);
  const slow = useLongerThan(skeletonAfterMs, list === null && failure === null);
  if (!list && failure) return <NotListed failure={failure} />;
  if (!list && !slow) return null;
  if (list?.total === 0 && narrows(filter, conditions)) return <NoResults />;
  if (list?.total === 0) {
    return (
      <EmptyState
        icon="campaigns"
        title="No campaigns yet"
        action={<Button onClick={reload}>Refresh</Button>}
      >
        Campaigns of this account appear here as soon as the service has some. Create them on the service’s
        own pages:{' '}
        <a href={routeHref({ page: 'guide', place: 'campaigns/create-copy-or-delete-a-campaign' })}>
          apps cannot
        </a>
        .
      </EmptyState>
    );
  }
  return <CampaignTable />;
}

function NoResults(): ReactElement {
  const formats = useFormats();
  const { conditions, coverage, clearFilter } = useStore(campaignsStore);
  const { full, load } = useStore(fullStore);
  const unknown = coverage?.unknown ?? 0;
  const clear = <Button onClick={clearFilter}>Clear filters</Button>;
  if (unknown > 0 && full?.isRunning === true) {
    return (
      <EmptyState icon="search" title="Loading in full" action={clear}>
        Results appear here as campaigns are read.
      </EmptyState>
    );
  }
  if (unknown > 0) {
    const loadAll = (
      <Button kind="primary" onClick={() => void load(false)}>
        Load all in full
      </Button>
    );
    return (
      <EmptyState icon="search" title="No results yet" action={loadAll}>
        {formats.counted(unknown, 'campaign')} may match: a filter needs them in full.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="search-none" title="No results" action={clear}>
      {conditions.length === 0
        ? 'Search by name, country, type, label or exact ID.'
        : 'Change or remove one of the filters above.'}
    </EmptyState>
  );
}

function useSearched(isNarrowed: boolean): number | null {
  const { loading, readCount } = useStore(campaignsStore);
  const isSlow = useLongerThan(skeletonAfterMs, isNarrowed && loading);
  return isSlow ? readCount : null;
}

function Toolbar(): ReactElement {
  const formats = useFormats();
  const { list, filter, conditions, all, cached, kept, changed, clearFilter } = useStore(campaignsStore);
  const narrowed = narrows(filter, conditions);
  const searched = useSearched(narrowed);
  const readAtMs = list ? oldestReadMs(list) : null;
  return (
    <div className={styles.viewPlace}>
      <header className={styles.toolbar}>
        <h1 className={common.heading}>Campaigns</h1>
        <GuideLink href={routeHref({ page: 'guide', place: 'campaigns' })} />
        <div className={cx(common.growNarrow, styles.viewCount)}>
          {list && (
            <span role="status">
              {searched === null
                ? countWords(list.total, { all: narrowed ? all : null, cached: cached !== null }, formats)
                : `Searched ${formats.count(searched)}${all === null ? '' : ` of ${formats.count(all)}`}…`}
            </span>
          )}
          {narrowed && (
            <LinkButton label={searched === null ? 'Clear filters' : 'Stop the search'} onClick={clearFilter}>
              {searched === null ? 'Clear' : 'Stop'}
            </LinkButton>
          )}
          {readAtMs !== null && (
            <span className={kept === null ? styles.age : styles.kept}>
              <span>{kept === null ? 'read ' : 'last session, read '}</span>
              <Age atMs={readAtMs} />
              {changed.size > 0 && (
                <span title="Changed since the last session">{` · ${formats.count(changed.size)} changed`}</span>
              )}
            </span>
          )}
        </div>
        <Filters />
      </header>
    </div>
  );
}

function Notices(): ReactElement | null {
  const { list, failure, cached, reload } = useStore(campaignsStore);
  const connection = useStore(sessionStore, (state) => state.connection);
  const onDesktop = useStore(desktopStore, (state) => state.present);
  const profileId = useStore(sessionStore, ({ session }) => session?.profile.id ?? null);
  const step = useStore(sessionStore, (state) => profileStep(state, cached ? null : (failure?.code ?? null)));
  const readAtMs = list ? oldestReadMs(list) : null;
  if (readAtMs === null) return null;
  const age = (
    <>
      <span>These rows were read </span>
      <Age atMs={readAtMs} />
      <span>.</span>
    </>
  );
  if (connection.kind === 'lost') {
    // On the desktop, the window shows this above every page.
    if (onDesktop) return null;
    return (
      <Banner flush tone="warning" icon="offline" title="Countersign cannot be reached.">
        {age} Nothing can be changed until it is back; this page tries again by itself.
      </Banner>
    );
  }
  if (!failure && !cached) return null;
  const retry = (
    <FailureAction
      size="small"
      step={step}
      href={routeHref({ page: 'profiles', id: profileId })}
      onRetry={reload}
    />
  );
  return (
    <Banner
      flush
      tone="warning"
      icon="offline"
      title={cached?.because ?? failure?.message ?? ''}
      actions={retry}
    >
      {cached ? (
        <>
          <span>Changes are off. You see loaded campaigns, the oldest read </span>
          <Age atMs={readAtMs} />
          <span>. Search covers loaded campaigns only.</span>
        </>
      ) : (
        <>
          {age} <span>{failure?.next}</span>
        </>
      )}
    </Banner>
  );
}
