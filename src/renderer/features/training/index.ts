export { DebriefingPage } from './debriefing/debriefing.tsx';
export { HomeFailure, HomePage, RefusalToast } from './home/home-page.tsx';
export { useHomeRoute } from './home/use-home-route.ts';
export { NameDialog } from './home/trainee-name.tsx';
export { Briefing } from './mission/briefing.tsx';
export type { MissionView } from './mission/briefing.tsx';
export { MissionBar } from './mission/mission-bar.tsx';
export { PracticeBar } from './practice/practice-bar.tsx';
export { PracticePanel } from './practice/practice-panel.tsx';
