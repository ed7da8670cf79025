import { composeTraining } from '#core/compose/training.ts';
import type { Core } from '#core/compose/compose.ts';
import type { ServeHostOptions } from '#core/host-link/index.ts';
import type { AppEvent, AppRequest, WorkspaceView } from '#shared/app-api/index.ts';
import type { ElectronBed } from '#test/servers/electron-runtime.ts';
import { defaultShownFormats } from '#shared/lib/formats.ts';
import { serveReachableCore, type ReachableCore } from '../confirmation/reachable-core.ts';

/** A real training core whose mission the test begins and ends directly. It shows what hosts observe of a mission. */
export interface StagedTraining {
  line: ReachableCore;
  /** Requests that reached the core, oldest first. */
  asked: AppRequest[];
  setPhase(phase: 'briefing' | 'running' | 'over'): void;
  /** Ends the staged mission; afterwards the core's own state is reported. */
  endMission(): void;
}

export async function stageTraining(bed: ElectronBed): Promise<StagedTraining> {
  const asked: AppRequest[] = [];
  const listeners = new Set<(event: AppEvent) => void>();
  let mission: WorkspaceView | null = null;

  async function compose(options: Parameters<NonNullable<ServeHostOptions['compose']>>[0]): Promise<Core> {
    const core = await composeTraining({ ...options, demoCampaigns: 20 });
    const noted = Object.entries(core.handlers).map(([name, handle]) => [
      name,
      (input: unknown) => {
        asked.push(name as AppRequest);
        if (name === 'training.workspace' && mission !== null)
          return Promise.resolve({ workspace: mission, formats: defaultShownFormats });
        return (handle as (input: unknown) => Promise<unknown>)(input);
      },
    ]);
    return {
      ...core,
      handlers: Object.fromEntries(noted) as unknown as Core['handlers'],
      subscribe(listener) {
        listeners.add(listener);
        const stop = core.subscribe(listener);
        return () => {
          listeners.delete(listener);
          stop();
        };
      },
    };
  }

  const overrides = { dataFolder: bed.newCoreFolder() };
  return {
    line: await serveReachableCore(bed.newFolder(), { compose, overrides }),
    asked,
    setPhase(phase) {
      mission = {
        kind: 'mission',
        mission: 'bids',
        name: 'Ada',
        briefing: ['One.', 'Two.', 'Three.'],
        phase,
        decided: 0,
        total: 3,
        endsAtMs: null,
        attempt: null,
      };
      for (const listener of listeners) listener({ kind: 'training.changed' });
    },
    endMission: () => void (mission = null),
  };
}
