export { planMission } from './plan-mission.ts';
export type { Workspace } from './subjects.ts';
