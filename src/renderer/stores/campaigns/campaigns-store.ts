import type { AppBridge } from '#renderer/api/bridge.ts';
import { AppError } from '#shared/errors/index.ts';
import { createStore } from 'zustand/vanilla';
import {
  emptyData,
  type BulkActions,
  type CampaignsState,
  type CampaignsStore,
  type Handle,
} from './campaigns-state.ts';
import { readAgain, serviceEveryMs } from '../read-again.ts';
import { listActions } from './list-actions.ts';
import { noSelection } from './selection.ts';
import { selectionActions } from './selection-actions.ts';

/** Makes the store of the campaign list. */
export function createCampaignsStore(bridge: AppBridge): CampaignsStore {
  return createStore<CampaignsState>((set, get) => {
    const handle: Handle = { get, set };
    return {
      ...emptyData,
      ...listActions(bridge, handle),
      ...selectionActions(handle),
      ...bulkActions(bridge, handle),
      start: () => keepCurrent(bridge, handle),
    };
  });
}

function bulkActions(bridge: AppBridge, { get, set }: Handle): BulkActions {
  return {
    async proposeStatus(status) {
      const cids = [...get().selection.cids];
      set({ proposing: { status, failure: null } });
      try {
        const proposal = await bridge.call('campaigns.proposeStatus', { cids, status });
        // The proposal lists its campaigns from here on; a selection that stayed would outlive the rows it was made in.
        set({ proposing: null, selection: noSelection });
        return proposal.id;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        set({ proposing: { status, failure: error } });
        return null;
      }
    },
    dismissProposing: () => set({ proposing: null }),
  };
}

function keepCurrent(bridge: AppBridge, { get, set }: Handle): () => void {
  async function readTypes(): Promise<void> {
    const types = await bridge.call('campaigns.types', {}).catch(() => []);
    if (types.length > 0) set({ types });
  }

  const reload = readAgain(async () => get().reload(), serviceEveryMs);
  const stopEvents = bridge.subscribe((event) => {
    if (event.kind === 'campaigns.changed') reload();
  });
  const stopConnection = bridge.onConnection((connection) => {
    if (connection.kind !== 'connected') return;
    get().reload();
    void readTypes();
  });
  return () => {
    stopEvents();
    stopConnection();
  };
}
