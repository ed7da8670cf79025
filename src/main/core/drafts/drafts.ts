import type { AppHandlers } from '#shared/app-api/index.ts';
import { createDraftStore, type DraftStoreOptions } from './draft-store.ts';

export interface DraftsOptions extends Pick<DraftStoreOptions, 'store' | 'keeper' | 'profile' | 'onChange'> {}

type DraftRequest = Extract<keyof AppHandlers, `drafts.${string}`>;

/** Drafts of campaigns (docs/write-path.md): intentions that touch nothing until they are proposed to the gate. */
export interface Drafts {
  requests: Pick<AppHandlers, DraftRequest>;
  /** Removes the drafts of a profile. Joins the transaction it is called in. */
  forget(profileId: string): void;
}

export function createDrafts(options: DraftsOptions): Drafts {
  const drafts = createDraftStore(options);
  const later = async (): Promise<never> => {
    throw new Error('Not built yet');
  };
  return {
    requests: {
      ...drafts.requests,
      'drafts.check': later,
      'drafts.checked': async () => ({ isRunning: false, done: 0, total: 0, campaigns: [] }),
      'drafts.stopChecking': later,
      'drafts.settleConflict': later,
      'drafts.propose': later,
    },
    forget: options.store.drafts.forget,
  };
}
