import { AppError } from '#shared/errors/index.ts';
import type { CoreSupervisor } from '../core-link/index.ts';

/** Freezing and thawing all agents from outside the page: from the menu and the tray, with or without a window. */
export interface Freezing {
  /** At once and without a question: it is the safe side. */
  freeze(): Promise<void>;
  /** After one question. */
  thaw(): Promise<void>;
}

export interface FreezingOptions {
  core: Pick<CoreSupervisor, 'ask'>;
  /** Asks the person in a native dialog whether agents may work again. */
  mayThaw(): Promise<boolean>;
  /** Tells the person what was not done, and what to do. */
  tell(failure: { message: string; next: string }): void;
}

export function createFreezing({ core, mayThaw, tell }: FreezingOptions): Freezing {
  async function ask(name: 'agents.freeze' | 'agents.thaw'): Promise<void> {
    try {
      await core.ask('app', name, {});
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      tell(failure);
    }
  }
  return {
    freeze: () => ask('agents.freeze'),
    async thaw() {
      if (await mayThaw()) await ask('agents.thaw');
    },
  };
}
