import { appBridge, firstScreen } from '#renderer/api/app-bridge.ts';
import type { CampaignRow, StatusCode } from '#shared/contract/index.ts';
import { createStore } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import { runs } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { hasWords, maxSearchText, usesFull } from '#shared/find/index.ts';
import { firstCodePoints } from '#shared/lib/inert-text.ts';
import { asFailure, followConnection, readAgain, serviceEveryMs, stopAll } from '../follow-core.ts';
import { readList, indexOfCampaign, keptList, type KeptRows, loadedRows, rowAt } from './paged-list.ts';
import {
  type ActivationChoice,
  activationChoice,
  chosenCids,
  withPart,
  extendTo,
  noSelection,
  selectAll,
  shownPart,
  toggle,
} from './selection.ts';
import {
  type BulkActions,
  type CampaignsState,
  type CampaignsStore,
  emptyData,
  type Handle,
  listActions,
  type SelectionActions,
} from './campaigns-state.ts';
import { noFilter } from '#shared/app-api/index.ts';

export function createCampaignsStore(bridge: AppBridge, kept: KeptRows | null = null): CampaignsStore {
  return createStore<CampaignsState>((set, get) => {
    const handle: Handle = { get, set };
    return {
      ...emptyData,
      ...(kept !== null && {
        kept,
        list: keptList(kept),
        all: kept.total,
        found: new Set(kept.rows.map(({ cid }) => cid)),
        loading: false,
      }),
      ...listActions(bridge, handle),
      ...selectionActions(bridge, handle),
      ...bulkActions(bridge, handle),
      start: () => keepCurrent(bridge, handle),
    };
  });
}

function bulkActions(bridge: AppBridge, { get, set }: Handle): BulkActions {
  /** Resolves with null if no proposal was made. The reason of a refusal is in `proposing`. */
  async function proposing(status: StatusCode, make: () => Promise<string | null>): Promise<string | null> {
    set({ proposing: { status, failure: null } });
    try {
      const id = await make();
      set({ proposing: null, ...(id !== null && { selection: noSelection }) });
      return id;
    } catch (error) {
      set({ proposing: { status, failure: asFailure(error) } });
      return null;
    }
  }

  async function choiceFor(status: StatusCode, cids: number[]): Promise<ActivationChoice | null> {
    if (!runs(status) || cids.length < 2) return null;
    const { groups } = await bridge.call('campaigns.statusGroups', { cids });
    return activationChoice(status, groups);
  }

  return {
    proposeStatus: (status, targeted = 'all') =>
      proposing(status, async () => {
        const cids = [...shownPart(get().selection, get().found).cids];
        const choice = await choiceFor(status, cids);
        set({ choice });
        if (choice !== null) return null;
        const only = targeted === 'running' ? { targeted } : {};
        return (await bridge.call('campaigns.proposeStatus', { cids, status, ...only })).id;
      }),
    askUntil: (asksUntil) => set({ asksUntil }),
    proposePauseUntil(returnAtMs) {
      const status = 3;
      set({ asksUntil: false });
      return proposing(status, async () => {
        const cids = [...shownPart(get().selection, get().found).cids];
        return (await bridge.call('campaigns.proposeStatus', { cids, status, returnAtMs })).id;
      });
    },
    dismissProposing: () => set({ proposing: null }),
    choosePart(index, isChosen) {
      const { choice } = get();
      if (choice !== null) set({ choice: withPart(choice, index, isChosen) });
    },
    async proposeChosen() {
      const { choice } = get();
      if (choice === null) return null;
      const { status } = choice;
      set({ choice: null });
      const chosen = { cids: chosenCids(choice), status };
      return proposing(status, async () => (await bridge.call('campaigns.proposeStatus', chosen)).id);
    },
    endChoice: () => set({ choice: null }),
  };
}

function keepCurrent(bridge: AppBridge, { get, set }: Handle): () => void {
  async function readTypes(): Promise<void> {
    const types = await bridge.call('campaigns.types', {}).catch(() => []);
    if (types.length > 0) set({ types });
  }

  let profileId: string | null = null;

  /** Drops the rows of the previous profile, because another profile may use the same ids for other campaigns. */
  async function followProfile(): Promise<void> {
    const session = await bridge.call('session.get', {}).catch(() => null);
    if (session === null || session.profile.id === profileId) return;
    if (profileId !== null) {
      set({ selection: noSelection, statuses: new Map(), proposing: null, choice: null, asksUntil: false });
    }
    profileId = session.profile.id;
  }

  const reload = readAgain(async () => get().reload(), serviceEveryMs);
  /** Searches the core's cached rows and needs no request to the service. */
  const search = readAgain(async () => get().reload());
  const readSearch = readAgain(async () => {
    const state = await bridge.call('campaigns.searchState', {}).catch(asFailure);
    set({ readCount: state instanceof AppError ? null : state.read });
  });
  const stopEvents = bridge.subscribe((event) => {
    if (event.kind === 'campaigns.searching') readSearch();
    if (event.kind === 'campaigns.changed') reload();
    const { filter, conditions } = get();
    if (event.kind === 'campaigns.loading' && conditions.some(usesFull)) search();
    const readsNotes =
      hasWords(filter.query) || conditions.some(({ kind }) => kind === 'label' || kind === 'note');
    if (event.kind === 'notes.changed' && readsNotes) search();
    if (event.kind === 'profiles.changed') void followProfile();
  });
  const stopConnection = followConnection(bridge, () => {
    get().reload();
    void readTypes();
    void followProfile();
  });
  return stopAll(stopEvents, stopConnection);
}

function selectionActions(bridge: AppBridge, { get, set }: Handle): SelectionActions {
  const cidAt = (index: number): number | undefined => {
    const { list } = get();
    return list ? rowAt(list, index)?.cid : undefined;
  };

  function moveCursor(index: number): void {
    const total = get().list?.total ?? 0;
    set({ cursor: Math.max(0, Math.min(total - 1, index)) });
  }

  return {
    moveCursor,
    pointAt(cid) {
      const { list } = get();
      const index = list && indexOfCampaign(list, cid);
      if (index !== null) moveCursor(index);
    },
    toggleSelected(index) {
      const cid = cidAt(index);
      if (cid !== undefined) set({ selection: toggle(get().selection, cid, index), cursor: index });
    },
    extendSelection(index) {
      const { selection, cursor } = get();
      const anchored = selection.anchor === null ? { cids: selection.cids, anchor: cursor } : selection;
      set({ selection: extendTo(anchored, index, cidAt), cursor: index });
    },
    selectLoaded() {
      const { list, selection } = get();
      if (!list) return;
      const cids = loadedRows(list).map((row) => row.cid);
      set({ selection: selectAll(selection, cids) });
    },
    async selectFound() {
      const { filter, conditions, selecting } = get();
      if (selecting) return;
      set({ selecting: true });
      const found = await bridge
        .call('campaigns.foundIds', { filter, conditions: [...conditions] })
        .catch(asFailure);
      set({ selecting: false });
      if (found instanceof AppError) return set({ failure: found });
      // The filter has changed in the meantime, so this answer is not what the page shows.
      if (get().filter !== filter || get().conditions !== conditions) return;
      const { items, readAtMs } = found;
      const statuses = new Map(get().statuses);
      for (const { cid, status } of items) statuses.set(cid, { status, readAtMs });
      const cids = new Set(items.map(({ cid }) => cid));
      set({ selection: { ...noSelection, cids }, found: new Set([...get().found, ...cids]), statuses });
    },
    deselectHidden: () => set({ selection: shownPart(get().selection, get().found) }),
    clearSelection: () => set({ selection: noSelection, proposing: null }),
    leaveRange: () => set({ selection: { cids: get().selection.cids, anchor: null } }),
  };
}

const max = 8;

/** Returns no rows after a failure. */
export async function lookUp(bridge: AppBridge, query: string): Promise<readonly CampaignRow[]> {
  const filter = { ...noFilter, query: firstCodePoints(query, maxSearchText) };
  const wanted = { filter, conditions: [], page: 1, perPage: max, again: false };
  const page = await readList(bridge, wanted).catch(() => null);
  return page?.rows ?? [];
}

export const campaignsStore = createCampaignsStore(appBridge, firstScreen);

export const findCampaigns = (query: string): Promise<readonly CampaignRow[]> => lookUp(appBridge, query);
