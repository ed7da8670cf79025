import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Profile } from '#core/profiles/index.ts';
import type { AppStore, AccountScope } from '#core/store/app/index.ts';
import { type AppHandlers, maxLabels, maxViews } from '#shared/app-api/index.ts';
import { AppError, type ErrorCode } from '#shared/errors/index.ts';
import { isSameName } from '#shared/lib/folded-text.ts';

export interface CampaignNotesOptions {
  store: AppStore;
  profile(): Pick<Profile, 'id' | 'account'>;
  clock: Clock;
  ids: Ids;
  onChange(): void;
}

export interface CampaignNotes {
  requests: Pick<
    AppHandlers,
    | 'campaigns.notes'
    | 'campaigns.setNote'
    | 'campaigns.saveLabel'
    | 'campaigns.removeLabel'
    | 'campaigns.assignLabels'
    | 'campaigns.views'
    | 'campaigns.saveView'
    | 'campaigns.renameView'
    | 'campaigns.removeView'
  >;
  labelsAndNotes(): ReadonlyMap<number, { labels: readonly string[]; hasNote: boolean }>;
  labelNames(): ReadonlyMap<string, string>;
  /** Call this when a profile gets another service. Joins the caller's transaction. */
  forgetCampaigns(profileId: string): void;
  /** Joins the caller's transaction. */
  forget(profileId: string): void;
}

export function createCampaignNotes({
  store,
  profile,
  clock,
  ids,
  onChange,
}: CampaignNotesOptions): CampaignNotes {
  const { campaignNotes: notes, campaignViews: views } = store;

  /** Assigns the profile's notes to its account, which a live profile gets only after it was added. */
  function scope(): AccountScope {
    const { id: profileId, account } = profile();
    notes.adopt({ profileId, account });
    return { profileId, account };
  }

  function change<T>(work: (scope: AccountScope) => T): T {
    const result = store.transaction(() => work(scope()));
    onChange();
    return result;
  }

  return {
    requests: {
      async 'campaigns.notes'() {
        const current = scope();
        return { labels: notes.labels(current.profileId), campaigns: notes.campaigns(current) };
      },
      'campaigns.setNote': async ({ cid, note }) =>
        change((current) => {
          notes.setNote(current, cid, note);
          return null;
        }),
      'campaigns.saveLabel': async ({ id, name, color }) =>
        change(({ profileId }) => {
          const all = notes.labels(profileId);
          if (id !== null) assertKnown(all, id, 'label_unknown');
          if (id === null && all.length >= maxLabels) throw new AppError('label_limit');
          assertNameFree(all, { id, name }, 'label_name_taken');
          const label = { id: id ?? ids.id(), name: name.normalize(), color };
          notes.putLabel(profileId, label);
          return label;
        }),
      'campaigns.removeLabel': async ({ id }) =>
        change(({ profileId }) => {
          notes.removeLabel(profileId, id);
          return null;
        }),
      'campaigns.assignLabels': async ({ cids, add, remove }) =>
        change((current) => {
          const all = notes.labels(current.profileId);
          for (const id of add) assertKnown(all, id, 'label_unknown');
          for (const cid of cids) {
            for (const id of add) notes.attach(current, cid, id);
            for (const id of remove) notes.detach(current, cid, id);
          }
          return null;
        }),
      'campaigns.views': async () => ({ items: views.all(profile().id) }),
      'campaigns.saveView': async ({ id, name, view }) =>
        change(({ profileId }) => {
          const all = views.all(profileId);
          if (id !== null) assertKnown(all, id, 'view_unknown');
          if (id === null && all.length >= maxViews) throw new AppError('view_limit');
          assertNameFree(all, { id, name }, 'view_name_taken');
          const saved = { id: id ?? ids.id(), name: name.normalize(), view, savedAtMs: clock.nowMs() };
          views.put(profileId, saved);
          return saved;
        }),
      'campaigns.renameView': async ({ id, name }) =>
        change(({ profileId }) => {
          const all = views.all(profileId);
          assertKnown(all, id, 'view_unknown');
          assertNameFree(all, { id, name }, 'view_name_taken');
          views.rename(profileId, { id, name: name.normalize() });
          return null;
        }),
      'campaigns.removeView': async ({ id }) =>
        change(({ profileId }) => {
          views.remove(profileId, id);
          return null;
        }),
    },
    labelsAndNotes() {
      const campaigns = notes.campaigns(scope());
      return new Map(campaigns.map(({ cid, labels, note }) => [cid, { labels, hasNote: note !== '' }]));
    },
    labelNames: () => new Map(notes.labels(scope().profileId).map(({ id, name }) => [id, name])),
    forgetCampaigns: (profileId) => notes.forgetCampaigns(profileId),
    forget(profileId) {
      notes.forget(profileId);
      views.forget(profileId);
    },
  };
}

interface NamedItem {
  id: string;
  name: string;
}

function assertKnown(all: readonly NamedItem[], id: string, code: ErrorCode): void {
  if (!all.some((one) => one.id === id)) throw new AppError(code);
}

function assertNameFree(
  all: readonly NamedItem[],
  { id, name }: { id: string | null; name: string },
  code: ErrorCode,
): void {
  if (all.some((one) => one.id !== id && isSameName(one.name, name))) throw new AppError(code);
}
