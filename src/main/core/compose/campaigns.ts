import type { AppEvent } from '#shared/app-api/index.ts';
import type { ToolPins } from '../agents/index.ts';
import { createCampaignNotes } from '#core/campaign-notes.ts';
import type { Connections } from '../connections/index.ts';
import { createBulk, createCopies, createDrafts, type DraftsOptions } from '../drafts/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { DisposableStack } from '../platform/disposable.ts';
import type { Ids } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';
import { createPictures, type PictureNetwork } from '../pictures.ts';
import type { Profiles } from '../profiles/index.ts';
import { createCopyRetention, type Gate } from '../proposals/index.ts';
import {
  createAccountList,
  createCampaignReads,
  createFinder,
  createFullCampaigns,
  type CampaignCache,
} from '../reads/index.ts';
import type { AppStore } from '../store/app/index.ts';
import { createUploads } from '../uploads/index.ts';
import type { Formats } from '#shared/lib/formats.ts';

export interface CampaignSideOptions extends Pick<DraftsOptions, 'balances'> {
  store: AppStore;
  ledger: Ledger;
  profiles: Profiles;
  campaignCache: CampaignCache;
  connections: Connections;
  pins: ToolPins;
  gate: Gate;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  pictureNetwork: Partial<PictureNetwork>;
  emit(event: AppEvent): void;
  subscribe(listener: (event: AppEvent) => void): () => void;
  /** Called after the number of days was changed for which copies of campaigns are kept. */
  onRetention(): void;
  /** Disposes of everything that is made here, in reverse. */
  stack: DisposableStack;
  /** How numbers and moments are written at this time. */
  formats(): Formats;
}

/** Makes the buyer's side: reads and search of campaigns, notes, drafts, uploads, bulk changes and copies. */
export function composeCampaigns(options: CampaignSideOptions) {
  const { store, ledger, profiles, campaignCache, connections, pins, gate, balances, formats } = options;
  const { clock, ids, logger, emit, subscribe, onRetention, stack } = options;
  const shared = { profiles, clock, logger };

  const campaignNotes = createCampaignNotes({
    store,
    profile: profiles.current,
    clock,
    ids,
    onChange: () => emit({ kind: 'notes.changed' }),
  });
  const drafts = stack.use(
    createDrafts({
      ...shared,
      store,
      campaignCache,
      connections,
      gate,
      balances,
      emit,
      subscribe,
      formats,
    }),
  );
  const uploads = stack.use(
    createUploads({
      ...shared,
      store,
      campaignCache,
      connections,
      pins,
      gate,
      drafts: drafts.requests,
      emit,
      subscribe,
    }),
  );
  const pictures = stack.use(
    createPictures({
      ownOrigins: profiles.originsOf,
      local: uploads.loaded,
      clock,
      network: options.pictureNetwork,
    }),
  );
  const accountList = createAccountList({
    connections,
    campaignCache,
    clock,
    onProgress: () => emit({ kind: 'campaigns.searching' }),
  });
  const campaigns = createCampaignReads({ connections, campaignCache, store, list: accountList, clock });
  const copies = createCopies({
    store,
    connections,
    campaignCache,
    latest: campaigns.latest,
    drafts: drafts.requests,
    retention: createCopyRetention({ store, ledger, clock, onChange: onRetention, formats }),
  });
  const fullCampaigns = stack.use(
    createFullCampaigns({
      connections,
      campaignCache,
      clock,
      onChange: () => emit({ kind: 'campaigns.loading' }),
    }),
  );
  const accountLists = () => campaigns.values().lists;
  const bulk = stack.use(
    createBulk({
      ...shared,
      store,
      connections,
      fullCampaigns,
      accountLists,
      drafts,
      ids,
      subscribe,
      formats,
    }),
  );
  stack.defer(
    subscribe((event) => {
      if (event.kind === 'profiles.changed') fullCampaigns.stopElsewhere();
      if (event.kind !== 'campaigns.changed') return;
      accountList.changed(event.cids);
      fullCampaigns.refresh(event.cids);
    }),
  );
  const finder = createFinder({
    connections,
    list: accountList,
    full: fullCampaigns,
    typeNames: campaigns.typeNames,
    attached: campaignNotes.attached,
    labelNames: campaignNotes.labelNames,
  });
  return {
    campaigns,
    campaignNotes,
    drafts,
    uploads,
    pictures,
    copies,
    fullCampaigns,
    bulk,
    finder,
    /** Removes the drafts, copies and uploads of a profile. Joins the transaction it is called in. */
    forgetWork(profileId: string): void {
      drafts.forget(profileId);
      store.campaignCopies.forget(profileId);
      uploads.forget(profileId);
    },
  };
}
