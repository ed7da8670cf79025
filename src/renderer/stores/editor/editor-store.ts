import type { AppBridge } from '#renderer/api/bridge.ts';
import { AppError } from '#shared/errors/index.ts';
import { createStore } from 'zustand/vanilla';
import { readAgain, serviceEveryMs } from '../read-again.ts';
import { checkDraft } from './check-draft.ts';
import { draftActions } from './draft-actions.ts';
import { touched, unread, type CampaignHandle, type EditorState, type EditorStore } from './editor-state.ts';
import { makeProposal } from './make-proposal.ts';

/** Makes the store of the detail panel. */
export function createEditorStore(bridge: AppBridge): EditorStore {
  return createStore<EditorState>((set, get) => {
    let current: number | null = null;
    const handle: CampaignHandle = {
      at: (cid) => get().campaigns[cid] ?? unread,
      put: (cid, change) =>
        set({ campaigns: { ...get().campaigns, [cid]: { ...handle.at(cid), ...change } } }),
    };
    const readCurrent = readAgain(async () => {
      if (current !== null) await read(bridge, handle, current);
    }, serviceEveryMs);
    return {
      campaigns: {},
      ...draftActions(handle),
      open(cid) {
        current = cid;
        if (!get().campaigns[cid]) handle.put(cid, {});
        void read(bridge, handle, cid);
      },
      propose: (cid) => propose(bridge, handle, cid),
      start: () =>
        keepCurrent(bridge, (cids) => {
          if (current !== null && (cids?.includes(current) ?? true)) readCurrent();
        }),
    };
  });
}

async function read(bridge: AppBridge, { at, put }: CampaignHandle, cid: number): Promise<void> {
  try {
    const detail = await bridge.call('campaigns.get', { cid });
    put(cid, { detail, failure: null });
    const { changes, errorAt } = checkDraft(at(cid).draft, detail, []);
    // A draft that is stored by now is no draft any more.
    if (changes.length === 0 && errorAt.size === 0) put(cid, { ...touched, draft: {}, refused: [] });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Somebody signed out: what was read is nobody's any more.
    put(cid, { failure: error, ...(error.code === 'credential_missing' ? { detail: null } : {}) });
  }
}

async function propose(bridge: AppBridge, handle: CampaignHandle, cid: number): Promise<string | null> {
  const { detail, draft, proposing } = handle.at(cid);
  if (!detail || proposing) return null;
  const { changes } = checkDraft(draft, detail, []);
  handle.put(cid, { proposing: true, refused: [], refusal: null });
  try {
    const proposedId = await makeProposal(bridge, cid, changes);
    handle.put(cid, { proposing: false, proposedId });
    void read(bridge, handle, cid);
    return proposedId;
  } catch (error) {
    handle.put(cid, { proposing: false });
    if (!(error instanceof AppError)) throw error;
    handle.put(cid, { refused: error.fields, refusal: error });
    if (error.code === 'edit_conflict') void read(bridge, handle, cid);
    return null;
  }
}

/** Tells when campaigns may have moved: these ones, or any when none are named. */
function keepCurrent(bridge: AppBridge, moved: (cids: number[] | null) => void): () => void {
  const stopEvents = bridge.subscribe((event) => {
    // No campaign named means any: the service is back, or the machine woke up.
    if (event.kind === 'campaigns.changed') moved(event.cids.length === 0 ? null : event.cids);
    if (event.kind === 'proposals.changed') moved(null);
  });
  const stopConnection = bridge.onConnection((connection) => {
    if (connection.kind === 'connected') moved(null);
  });
  return () => {
    stopEvents();
    stopConnection();
  };
}
