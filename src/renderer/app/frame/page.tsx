import { CampaignsView } from '#renderer/features/campaigns/index.ts';
import { panelLimits, uiStore } from '#renderer/stores/ui/index.ts';
import { SplitPane } from '#renderer/ui/index.ts';
import { lazy, Suspense, type ReactElement } from 'react';
import { useStore } from 'zustand';

const EditorPanel = lazy(async () => ({
  default: (await import('#renderer/features/editor/index.ts')).EditorPanel,
}));
const EditorPage = lazy(async () => ({
  default: (await import('#renderer/features/editor/index.ts')).EditorPage,
}));
const DraftsView = lazy(async () => ({
  default: (await import('#renderer/features/drafts/index.ts')).DraftsView,
}));
const ProposalsView = lazy(async () => ({
  default: (await import('#renderer/features/proposals/index.ts')).ProposalsView,
}));
const ReportsView = lazy(async () => ({
  default: (await import('#renderer/features/reports/index.ts')).ReportsView,
}));
const SchedulesView = lazy(async () => ({
  default: (await import('#renderer/features/schedules/index.ts')).SchedulesView,
}));
const LedgerView = lazy(async () => ({
  default: (await import('#renderer/features/ledger/index.ts')).LedgerView,
}));
const DecisionsView = lazy(async () => ({
  default: (await import('#renderer/features/decisions/index.ts')).DecisionsView,
}));
const AgentsView = lazy(async () => ({
  default: (await import('#renderer/features/agents/index.ts')).AgentsView,
}));
const ProfilesView = lazy(async () => ({
  default: (await import('#renderer/features/profiles/index.ts')).ProfilesView,
}));
/** With the settings that belong to other features. */
const SettingsPage = lazy(async () => {
  const [{ SettingsView }, { UpdatesCard }, { WaitingTimeSetting }] = await Promise.all([
    import('#renderer/features/settings/index.ts'),
    import('#renderer/features/updates/index.ts'),
    import('#renderer/features/proposals/index.ts'),
  ]);
  return {
    default: () => <SettingsView waitingTime={<WaitingTimeSetting />} updates={<UpdatesCard />} />,
  };
});
const BulkView = lazy(async () => ({
  default: (await import('#renderer/features/bulk/index.ts')).BulkView,
}));
const DoctorView = lazy(async () => ({
  default: (await import('#renderer/features/doctor/index.ts')).DoctorView,
}));
const GuideView = lazy(async () => ({
  default: (await import('#renderer/features/guide/index.ts')).GuideView,
}));

/** The page of the current route. Only the first page is loaded at start. */
export function Page(): ReactElement {
  const route = useStore(uiStore, (state) => state.route);
  switch (route.page) {
    case 'campaigns':
      if (route.cid === null || route.section === undefined) return <CampaignsPage cid={route.cid} />;
      return (
        <Suspense>
          <EditorPage cid={route.cid} sectionId={route.section} />
        </Suspense>
      );
    case 'drafts':
      return (
        <Suspense>
          <DraftsView />
        </Suspense>
      );
    case 'bulk':
      return (
        <Suspense>
          <BulkView />
        </Suspense>
      );
    case 'proposals':
      return (
        <Suspense>
          <ProposalsView selectedId={route.id} />
        </Suspense>
      );
    case 'reports':
      return (
        <Suspense>
          <ReportsView parameters={route.parameters} />
        </Suspense>
      );
    case 'schedules':
      return (
        <Suspense>
          <SchedulesView selectedId={route.id} />
        </Suspense>
      );
    case 'ledger':
      return (
        <Suspense>
          <LedgerView />
        </Suspense>
      );
    case 'decisions':
      return (
        <Suspense>
          <DecisionsView />
        </Suspense>
      );
    case 'agents':
      return (
        <Suspense>
          <AgentsView />
        </Suspense>
      );
    case 'settings':
      return (
        <Suspense>
          <SettingsPage />
        </Suspense>
      );
    case 'profiles':
      return (
        <Suspense>
          <ProfilesView selectedId={route.id} />
        </Suspense>
      );
    case 'guide':
      return (
        <Suspense>
          <GuideView place={route.place} />
        </Suspense>
      );
    case 'doctor':
      return (
        <Suspense>
          <DoctorView profileId={route.profileId} />
        </Suspense>
      );
  }
}

function CampaignsPage({ cid }: { cid: number | null }): ReactElement {
  const { panelWidth, setPanelWidth } = useStore(uiStore);
  return (
    <SplitPane
      main={<CampaignsView />}
      side={
        cid === null ? null : (
          <Suspense>
            <EditorPanel cid={cid} />
          </Suspense>
        )
      }
      sideLabel="the campaign panel"
      width={panelWidth}
      min={panelLimits.min}
      max={panelLimits.max}
      onResize={setPanelWidth}
    />
  );
}
