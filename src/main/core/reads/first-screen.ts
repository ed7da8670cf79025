import type { Clock } from '#core/platform/clock.ts';
import { createTokenConcealer } from '#core/platform/credentials.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { type Profile, viewOf } from '#core/profiles/index.ts';
import type { AppStore } from '#core/store/app/index.ts';
import { type AppInput, type CampaignPage, noFilter } from '#shared/app-api/index.ts';
import { type FirstScreen, maxFirstRows } from '#shared/host-api/index.ts';
import type { ShownFormats } from '#shared/lib/formats.ts';
import { readFirstScreen, removeFirstScreen, writeFirstScreen } from '#system/first-screen.ts';

const gatherMs = 2_000;

/** Keeps what the first frame of the next start needs in a file: the beginning of the list of the active profile. */
export interface FirstScreenKeeper extends AsyncDisposable {
  /** Takes the answer of the service to a read, if it is the list with which a start begins. */
  keepList(profile: Profile, input: AppInput<'campaigns.page'>, page: CampaignPage): void;
  /** Writes the file again, because its counts or formats may have changed. */
  refresh(): void;
  /** Removes the file if it belongs to another profile than the active one. */
  follow(active: Profile): void;
  forget(profileId: string): void;
  /** Removes the file and keeps nothing more. */
  end(): void;
}

interface FirstScreenOptions {
  store: AppStore;
  folder: string;
  version: string;
  formats(): ShownFormats;
  clock: Clock;
  logger: Logger;
}

type KeptList = Pick<FirstScreen, 'rows' | 'total' | 'readAtMs'> & { profile: Profile };

export function createFirstScreen(options: FirstScreenOptions): FirstScreenKeeper {
  const { store, folder, version, formats, clock, logger } = options;
  const conceal = createTokenConcealer(store.oauth, clock);
  let owner = readFirstScreen(folder, version)?.profile.id ?? null;
  let list: KeptList | null = null;
  let cancel: (() => void) | null = null;
  let isEnded = false;

  function attempt(work: () => void): void {
    try {
      work();
    } catch (failure) {
      logger.warn({ failure }, 'The file of the first screen could not be changed');
    }
  }

  function remove(): void {
    cancel?.();
    cancel = null;
    list = null;
    owner = null;
    attempt(() => removeFirstScreen(folder));
  }

  function later(): void {
    if (list !== null && !isEnded) cancel ??= clock.after(gatherMs, write);
  }

  function write(): void {
    cancel?.();
    cancel = null;
    if (list === null) return;
    const { profile, ...kept } = list;
    const screen: FirstScreen = {
      version,
      keptAtMs: clock.nowMs(),
      profile: viewOf(profile),
      origins: [...new Set(Object.values(profile.addresses).map((address) => new URL(address).origin))],
      formats: formats(),
      ...kept,
      waiting: store.proposals.countWaiting(),
      drafts: draftedCampaigns(profile),
    };
    attempt(() => writeFirstScreen(folder, JSON.parse(conceal(JSON.stringify(screen))) as FirstScreen));
    owner = profile.id;
  }

  function draftedCampaigns({ id: profileId, account }: Profile): number {
    return new Set(store.drafts.fields.all({ profileId, account }).map(({ cid }) => cid)).size;
  }

  return {
    keepList(profile, { filter, page: number }, { rows, total, readAtMs }) {
      if (number !== 1 || !isStart(filter)) return;
      if (rows.length === 0) return remove();
      list = { profile, rows: rows.slice(0, maxFirstRows), total, readAtMs };
      later();
    },
    refresh: later,
    follow(active) {
      const current = list === null ? owner : list.profile.id;
      // Also removes a file that no start can use.
      if (current !== active.id) remove();
      else if (list !== null) list = { ...list, profile: active };
      later();
    },
    forget(profileId) {
      if (owner === profileId || list?.profile.id === profileId) remove();
    },
    end() {
      isEnded = true;
      remove();
    },
    async dispose() {
      if (cancel !== null) write();
    },
  };
}

function isStart({ types, ...filter }: AppInput<'campaigns.page'>['filter']): boolean {
  const { types: _none, ...start } = noFilter;
  return types.length === 0 && Object.entries(start).every(([key, value]) => filter[key as never] === value);
}
