import type { AppEvent } from '#shared/app-api/index.ts';
import type { ToolPins } from '../agents/index.ts';
import { createCampaignNotes } from '#core/campaign-notes.ts';
import { createBulk, createCopies, createDrafts } from '../drafts/index.ts';
import { createPictures } from '../pictures.ts';
import { createCopyRetention, type Gate } from '../proposals/index.ts';
import {
  createAccountList,
  createCampaignReads,
  createFinder,
  createFullCampaigns,
  createMoneyLine,
} from '../reads/index.ts';
import { createUploads } from '../uploads/index.ts';
import type { ConnectionSide } from './connections.ts';
import type { Foundation } from './foundation.ts';
import type { ComposeOptions } from './options.ts';

export type CampaignSide = ReturnType<typeof composeCampaigns>;

const firstScreenEvents: ReadonlySet<AppEvent['kind']> = new Set<AppEvent['kind']>([
  'proposals.changed',
  'drafts.changed',
  'formats.changed',
]);

export function composeCampaigns(
  options: ComposeOptions,
  foundation: Foundation,
  connectionSide: ConnectionSide,
  { pins, gate }: { pins: ToolPins; gate: Gate },
) {
  const { store, ledger, clock, ids, logger, emit, subscribe, ledgerChanged, stack } = foundation;
  const { backend, connections, profiles, campaignCache, firstScreen, formats } = connectionSide;

  const campaignNotes = createCampaignNotes({
    store,
    profile: profiles.current,
    clock,
    ids,
    onChange: () => emit({ kind: 'notes.changed' }),
  });
  const drafts = stack.use(
    createDrafts({
      store,
      campaignCache,
      profiles,
      connections,
      gate,
      balances: (profileId) => (profileId === 'demo' ? backend.balanceMicros : () => null),
      clock,
      logger,
      emit,
      subscribe,
      formats,
    }),
  );
  const uploads = stack.use(
    createUploads({
      store,
      campaignCache,
      profiles,
      connections,
      pins,
      gate,
      drafts: drafts.requests,
      clock,
      logger,
      emit,
      subscribe,
    }),
  );
  const pictures = stack.use(
    createPictures({
      ownOrigins: profiles.originsOf,
      local: uploads.loaded,
      clock,
      network: options.pictureNetwork ?? {},
    }),
  );
  const accountList = createAccountList({
    connections,
    campaignCache,
    clock,
    onProgress: () => emit({ kind: 'campaigns.searching' }),
  });
  const campaigns = createCampaignReads({
    connections,
    campaignCache,
    firstScreen,
    store,
    list: accountList,
    clock,
  });
  const copies = createCopies({
    store,
    connections,
    campaignCache,
    latest: campaigns.latest,
    drafts: drafts.requests,
    retention: createCopyRetention({ store, ledger, clock, onChange: ledgerChanged, formats }),
  });
  const fullCampaigns = stack.use(
    createFullCampaigns({
      connections,
      campaignCache,
      clock,
      onChange: () => emit({ kind: 'campaigns.loading' }),
    }),
  );
  const bulk = stack.use(
    createBulk({
      store,
      connections,
      fullCampaigns,
      accountLists: () => campaigns.values().lists,
      drafts: drafts.requests,
      clock,
      ids,
      subscribe,
      formats,
    }),
  );
  const moneyLine = createMoneyLine({
    connections,
    campaignCache,
    full: fullCampaigns,
    proposals: store.proposals,
    clock,
  });
  stack.defer(
    subscribe((event) => {
      if (event.kind === 'profiles.changed') {
        fullCampaigns.stopElsewhere();
        firstScreen.follow(profiles.current());
      }
      if (firstScreenEvents.has(event.kind)) firstScreen.refresh();
      if (event.kind === 'campaigns.loading') moneyLine.fullCampaignsChanged();
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
    attached: campaignNotes.labelsAndNotes,
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
    moneyLine,
    /** Removes the drafts, copies, uploads and planned returns of a profile. Runs in the caller's transaction. */
    forgetWork(profileId: string): void {
      drafts.forget(profileId);
      store.campaignCopies.forget(profileId);
      uploads.forget(profileId);
      store.pauseReturns.forget(profileId);
    },
  };
}
