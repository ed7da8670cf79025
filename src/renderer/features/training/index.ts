export { DebriefingPage } from './debriefing/debriefing.tsx';
export { HomeFailure, HomePage, RefusalToast, useHomeRoute } from './home/home-page.tsx';
export { NameDialog } from './home/trainee-name.tsx';
export { Briefing, MissionBar, PracticeBar } from './mission/workspace-bar.tsx';
export type { MissionView } from './mission/workspace-bar.tsx';
export { PracticePanel } from './practice/practice-panel.tsx';
export { homeHref, type HomeRoute } from './stores/home-route.ts';
export { trainingStore } from './stores/training-store.ts';
