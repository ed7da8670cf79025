import { CampaignsView } from '#renderer/features/campaigns/index.ts';
import { panelLimits } from '#renderer/stores/ui/ui-store.ts';
import type { Route } from '#renderer/stores/ui/route.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { Region, SplitPane } from '#renderer/ui/index.ts';
import { pageFault } from './faults.tsx';
import { Suspense, type ReactElement } from 'react';
import { lazily } from '../lazily.ts';
import { useStore } from 'zustand';

const EditorPanel = lazily(
  async () => (await import('#renderer/features/editor/editor-page.tsx')).EditorPanel,
);
const EditorPage = lazily(async () => (await import('#renderer/features/editor/editor-page.tsx')).EditorPage);
const DraftsView = lazily(async () => (await import('#renderer/features/drafts/drafts-view.tsx')).DraftsView);
const ProposalsView = lazily(
  async () => (await import('#renderer/features/proposals/proposals-view.tsx')).ProposalsView,
);
const ReportsView = lazily(
  async () => (await import('#renderer/features/reports/reports-view.tsx')).ReportsView,
);
const SchedulesView = lazily(
  async () => (await import('#renderer/features/schedules/schedules-view.tsx')).SchedulesView,
);
const LedgerView = lazily(async () => (await import('#renderer/features/ledger/ledger-view.tsx')).LedgerView);
const DecisionsView = lazily(
  async () => (await import('#renderer/features/decisions/decisions-view.tsx')).DecisionsView,
);
const AgentsView = lazily(async () => (await import('#renderer/features/agents/agents-view.tsx')).AgentsView);
const ProfilesView = lazily(
  async () => (await import('#renderer/features/profiles/profiles-view.tsx')).ProfilesView,
);
const SettingsPage = lazily(async () => {
  const [{ SettingsView }, { WaitingTimeSetting }] = await Promise.all([
    import('#renderer/features/settings/index.ts'),
    import('#renderer/features/proposals/proposals-view.tsx'),
  ]);
  return () => <SettingsView waitingTime={<WaitingTimeSetting />} />;
});
const BulkView = lazily(async () => (await import('#renderer/features/bulk/bulk-view.tsx')).BulkView);
const DoctorView = lazily(async () => (await import('#renderer/features/doctor/doctor-view.tsx')).DoctorView);
const GuideView = lazily(async () => (await import('#renderer/features/guide/index.ts')).GuideView);

export function Page(): ReactElement {
  const route = useStore(uiStore, (state) => state.route);
  const key = route.page === 'campaigns' && route.section !== undefined ? 'editor' : route.page;
  // React keeps the old page mounted while the next one loads. A new key unmounts it at once.
  return <Suspense key={key}>{pageOf(route)}</Suspense>;
}

function pageOf(route: Route): ReactElement {
  switch (route.page) {
    case 'campaigns':
      if (route.cid === null || route.section === undefined) return <CampaignsPage cid={route.cid} />;
      return <EditorPage cid={route.cid} sectionId={route.section} />;
    case 'drafts':
      return <DraftsView />;
    case 'bulk':
      return <BulkView />;
    case 'proposals':
      return <ProposalsView selectedId={route.id} />;
    case 'reports':
      return <ReportsView parameters={route.parameters} />;
    case 'schedules':
      return <SchedulesView selectedId={route.id} />;
    case 'ledger':
      return <LedgerView />;
    case 'decisions':
      return <DecisionsView />;
    case 'agents':
      return <AgentsView />;
    case 'settings':
      return <SettingsPage />;
    case 'profiles':
      return <ProfilesView selectedId={route.id} />;
    case 'guide':
      return <GuideView place={route.place} />;
    case 'doctor':
      return <DoctorView profileId={route.profileId} />;
  }
}

function CampaignsPage({ cid }: { cid: number | null }): ReactElement {
  const { panelWidth, setPanelWidth } = useStore(uiStore);
  return (
    <SplitPane
      main={<CampaignsView />}
      side={
        cid === null ? null : (
          <Region fallback={pageFault} place={String(cid)}>
            <Suspense>
              <EditorPanel cid={cid} />
            </Suspense>
          </Region>
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
