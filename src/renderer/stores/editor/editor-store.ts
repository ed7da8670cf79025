import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { CampaignChanges, CampaignDetail } from '#shared/app-api/index.ts';
import { AppError, type FieldError } from '#shared/errors/index.ts';
import { readAgain, serviceEveryMs } from '../follow-core.ts';
import { checkDraft, type Draft, type EditableField, rebased, withEdit, withoutEdit } from './draft.ts';

/** One campaign in the panel. A reload keeps what was read before, so nothing flickers and nothing typed is lost. */
export interface OpenCampaign {
  detail: CampaignDetail | null;
  failure: AppError | null;
  draft: Draft;
  /** Field errors of the last refused proposal. */
  refused: FieldError[];
  /** The reason if the last proposal was not made, apart from field errors. */
  refusal: AppError | null;
  proposing: boolean;
  /** The proposal made of the current draft; null once the draft was edited again. */
  proposedId: string | null;
}

/** Edits of a draft. */
export interface DraftActions {
  edit: (cid: number, field: EditableField, typed: string) => void;
  revert: (cid: number, field: EditableField) => void;
  discard: (cid: number) => void;
  /** Accepts the values that changed meanwhile as the new base of the draft. */
  keepMine: (cid: number) => void;
}

export interface EditorState extends DraftActions {
  /** Every campaign that was opened or has a draft, by id. */
  campaigns: Readonly<Record<number, OpenCampaign>>;
  open: (cid: number) => void;
  /** Makes the proposal. Its id, or null with the reason in the campaign's state. */
  propose: (cid: number) => Promise<string | null>;
  /** Keeps the open campaign current. Returns the unsubscribe function. Call once. */
  start: () => () => void;
}

export type EditorStore = StoreApi<EditorState>;

/** Reads and changes one campaign of the store. */
export interface CampaignHandle {
  at: (cid: number) => OpenCampaign;
  put: (cid: number, change: Partial<OpenCampaign>) => void;
}

export const unread: OpenCampaign = {
  detail: null,
  failure: null,
  draft: {},
  refused: [],
  refusal: null,
  proposing: false,
  proposedId: null,
};

/** A draft that was touched: what was said about it before no longer holds. */
const touched = { refusal: null, proposedId: null } as const;

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
    // Signed out: the rows that were read belong to no account now.
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

/** Reports that campaigns may have changed: these ones, or any if none are named. */
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

/** Typing, reverting, and settling values that changed meanwhile. */
function draftActions({ at, put }: CampaignHandle): DraftActions {
  return {
    edit(cid, field, typed) {
      const { detail, draft, refused } = at(cid);
      if (!detail) return;
      put(cid, {
        ...touched,
        draft: withEdit(draft, detail.edit.campaign, field, typed),
        refused: refused.filter((error) => error.field !== field),
      });
    },
    revert(cid, field) {
      const { draft, refused } = at(cid);
      put(cid, {
        ...touched,
        draft: withoutEdit(draft, field),
        refused: refused.filter((error) => error.field !== field),
      });
    },
    discard: (cid) => put(cid, { ...touched, draft: {}, refused: [] }),
    keepMine(cid) {
      const { detail, draft } = at(cid);
      if (detail) put(cid, { ...touched, draft: rebased(draft, detail.edit.campaign) });
    },
  };
}

/** Proposes the changes of one campaign; a status alone as a change of status. Resolves to the proposal's id. */
async function makeProposal(bridge: AppBridge, cid: number, changes: CampaignChanges): Promise<string> {
  const [only] = changes;
  const proposal =
    changes.length === 1 && only?.field === 'status'
      ? await bridge.call('campaigns.proposeStatus', { cids: [cid], status: Number(only.to) })
      : await bridge.call('campaigns.proposeUpdate', { cid, changes });
  return proposal.id;
}

/** True while a campaign has edits that were not proposed. */
export function hasUnsavedEdits({ campaigns }: Pick<EditorState, 'campaigns'>): boolean {
  return Object.values(campaigns).some(
    ({ draft, proposedId }) => proposedId === null && Object.keys(draft).length > 0,
  );
}
