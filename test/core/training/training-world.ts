import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { composeTraining, type ComposeTrainingOptions } from '#core/compose/training.ts';
import type { Core } from '#core/compose/compose.ts';
import { systemClock, type Clock } from '#core/platform/clock.ts';
import type { Confirmer, Display } from '#shared/host-api/index.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

/** A training core, and the confirmations that its host was asked to show and to hide. */
export interface TrainingWorld {
  core: Core;
  folder: string;
  shown: Display[];
  hidden: string[];
  /** Returns the names of the workspace folders. */
  workspaces(): string[];
  /** Ends the core and starts another on the same folder. */
  restart(): Promise<TrainingWorld>;
}

export interface TrainingWorldOptions {
  folder?: string;
  clock?: Clock;
  demoCampaigns?: number;
  confirmer?: Partial<Confirmer>;
  planMission?: ComposeTrainingOptions['planMission'];
  pictureNetwork?: ComposeTrainingOptions['pictureNetwork'];
}

/** Opens a training core. Everything ends with the test. */
export async function openTraining(options: TrainingWorldOptions = {}): Promise<TrainingWorld> {
  const { folder = tempFolder(), clock = systemClock } = options;
  const shown: Display[] = [];
  const hidden: string[] = [];
  const core = await composeTraining({
    dataFolder: folder,
    host: 'desktop',
    version: '0.0.0',
    clock,
    ...(options.demoCampaigns !== undefined && { demoCampaigns: options.demoCampaigns }),
    ...(options.pictureNetwork !== undefined && { pictureNetwork: options.pictureNetwork }),
    ...(options.planMission !== undefined && { planMission: options.planMission }),
    confirmer: {
      via: 'desktop',
      show: async (display) => {
        shown.push(display);
        return { address: null };
      },
      hide: (displayId) => void hidden.push(displayId),
      ...options.confirmer,
    },
  });
  onTestFinished(() => core.dispose());
  const root = join(folder, 'workspaces');
  return {
    core,
    folder,
    shown,
    hidden,
    workspaces: () => (existsSync(root) ? readdirSync(root) : []),
    async restart() {
      await core.dispose();
      return openTraining({ ...options, folder, clock });
    },
  };
}
