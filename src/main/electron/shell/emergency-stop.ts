import { appApi } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { CoreSupervisor } from '../core-link/supervisor.ts';

export interface EmergencyStop {
  /** Freezes all agents immediately, without a question, and opens the confirmation of the pause. */
  press(): Promise<void>;
  thaw(): Promise<void>;
}

export interface EmergencyStopOptions {
  core: Pick<CoreSupervisor, 'ask'>;
  bringForward(proposalId: string): void;
  mayThaw(): Promise<boolean>;
  showNotice(words: string): Promise<void>;
  showFailure(failure: { message: string; next: string }): void;
}

export function createEmergencyStop(options: EmergencyStopOptions): EmergencyStop {
  const { core, bringForward, mayThaw, showNotice, showFailure } = options;
  let isStopping = false;
  let isDisplaying = false;

  async function orShown(ask: () => Promise<void>): Promise<void> {
    try {
      await ask();
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      showFailure(failure);
    }
  }

  /** A held key sends repeated presses, which must open only one dialog. */
  async function showOnce(words: string): Promise<void> {
    if (isDisplaying) return;
    isDisplaying = true;
    await showNotice(words).finally(() => (isDisplaying = false));
  }

  async function stop(): Promise<void> {
    const answer = await core.ask('app', 'emergencyStop.start', {});
    const made = appApi['emergencyStop.start'].output.parse(answer);
    if (made.id !== null) bringForward(made.id);
    if (made.say !== null) void showOnce(made.say);
  }

  return {
    async press() {
      if (isStopping) return;
      isStopping = true;
      await orShown(stop).finally(() => (isStopping = false));
    },
    async thaw() {
      if (await mayThaw()) await orShown(async () => void (await core.ask('app', 'agents.thaw', {})));
    },
  };
}
