export { DebriefingPage } from './debriefing.tsx';
export { HomeFailure, HomePage, NameDialog, RefusalToast, useHomeRoute } from './home-page.tsx';
export { Briefing, MissionBar, PracticeBar } from './workspace-bar.tsx';
export type { MissionView } from './workspace-bar.tsx';
export { PracticePanel } from './practice-panel.tsx';
export { homeHref, type HomeRoute } from './stores/home-route.ts';
export { trainingStore } from './stores/training-store.ts';
