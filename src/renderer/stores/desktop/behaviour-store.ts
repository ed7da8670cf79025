import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DesktopHost } from '#renderer/api/desktop-host.ts';
import type { AppError } from '#shared/errors/index.ts';
import type { Behaviour } from '#shared/host-api/index.ts';
import { readInto } from '../acting.ts';

export interface BehaviourState {
  /** Null until the first answer, and in every host but the desktop. */
  behaviour: Behaviour | null;
  failure: AppError | null;
  read: () => Promise<void>;
  change: (change: Partial<Behaviour>) => Promise<void>;
}

/** Makes the store of how the desktop behaves around the page. */
export function createBehaviourStore(host: DesktopHost | null): StoreApi<BehaviourState> {
  return createStore<BehaviourState>((set) => {
    async function attempt(work: (host: DesktopHost) => Promise<Behaviour>): Promise<void> {
      if (host === null) return;
      await readInto(set, async () => ({ behaviour: await work(host) }));
    }
    return {
      behaviour: null,
      failure: null,
      read: () => attempt((present) => present.ask('desktop.behaviour', {})),
      change: (change) => attempt((present) => present.ask('desktop.setBehaviour', change)),
    };
  });
}
