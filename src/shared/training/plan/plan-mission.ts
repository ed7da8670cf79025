import type { CampaignContext } from '../../contract/index.ts';
import type { JsonObject } from '../../lib/json/json-value.ts';
import type { MissionId, MissionPlan } from '../mission.ts';

/** What a plan is made from: the campaigns of the workspace in full, and today on the service's clock. */
export interface Workspace {
  campaigns: readonly JsonObject[];
  context: CampaignContext;
  day: { date: string; zone: string };
}

/** The variant of a mission that a seed decides: the same for the same workspace. Throws where it has too few campaigns. */
export function planMission(mission: MissionId, seed: number, workspace: Workspace): MissionPlan {
  throw new Error(`Not implemented: ${mission} ${seed} ${workspace.day.date}`);
}
