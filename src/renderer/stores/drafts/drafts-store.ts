import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppInput, CampaignDraftView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { followEvent, readAgain } from '../follow-core.ts';

/** The new draft of one field; null removes it. */
export type DraftChange = AppInput<'drafts.change'>['changes'][number];

export type DraftedCampaigns = Readonly<Record<number, CampaignDraftView>>;

export interface DraftsState {
  /** The drafts of the active profile, with every change that is on its way to the core. */
  campaigns: DraftedCampaigns;
  /** The titles of the changes that can be undone and redone next. */
  history: { undo: string | null; redo: string | null };
  /** False until the first answer. */
  isRead: boolean;
  /** The last change, undo or read that failed. */
  failure: AppError | null;
  /**
   * Changes drafts at once, and stores the change as one step. Changes with the same `typing` that follow each other quickly are one
   * step: the text of one field.
   */
  change: (title: string, changes: readonly DraftChange[], typing?: string) => void;
  undo: () => Promise<void>;
  redo: () => Promise<void>;
  settleConflict: (input: AppInput<'drafts.settleConflict'>) => Promise<void>;
  /** Resolves when everything that was changed is stored, or was refused. */
  stored: () => Promise<void>;
  dismiss: () => void;
  /** Keeps the drafts current. Returns the unsubscribe function. Call once. */
  start: () => () => void;
}

export type DraftsStore = StoreApi<DraftsState>;

/** Time in which further typing belongs to the same step, in milliseconds. */
const typingMs = 600;

/** A change that the core's last answer does not hold yet. */
interface PendingChange {
  title: string;
  changes: readonly DraftChange[];
  typing: string | undefined;
  state: 'waiting' | 'queued' | 'stored';
}

/** Makes the store of the page's drafts. */
export function createDraftsStore(bridge: AppBridge, stepMs = typingMs): DraftsStore {
  return createStore<DraftsState>((set) => {
    let known: DraftedCampaigns = {};
    let pending: PendingChange[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let queue: Promise<void> = Promise.resolve();

    function publish(): void {
      set({ campaigns: pending.reduce((all, { changes }) => withChanges(all, changes), known) });
    }

    const read = readAgain(async () => {
      const answered = pending.filter(({ state }) => state === 'stored');
      try {
        const { campaigns, history } = await bridge.call('drafts.get', { cids: null });
        known = Object.fromEntries(campaigns.map((campaign) => [campaign.cid, campaign]));
        pending = pending.filter((change) => !answered.includes(change));
        set({ history, isRead: true });
        publish();
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        set({ failure: error });
      }
    });

    /** Stores one change. One that does not reach the core waits for the next connection. */
    async function store(change: PendingChange): Promise<void> {
      try {
        await bridge.call('drafts.change', { title: change.title, changes: [...change.changes] });
        change.state = 'stored';
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'core_unreachable') {
          change.state = 'waiting';
        } else {
          pending = pending.filter((other) => other !== change);
          set({ failure: error });
          publish();
        }
      }
      read();
    }

    function send(): void {
      clearTimeout(timer);
      timer = undefined;
      for (const change of pending) {
        if (change.state !== 'waiting') continue;
        change.state = 'queued';
        queue = queue.then(() => store(change));
      }
    }

    async function ask(call: () => Promise<unknown>): Promise<void> {
      send();
      await queue;
      try {
        await call();
        set({ failure: null });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        set({ failure: error });
      }
      read();
    }

    return {
      campaigns: {},
      history: { undo: null, redo: null },
      isRead: false,
      failure: null,
      change(title, changes, typing) {
        const last = pending.at(-1);
        if (last?.state === 'waiting' && typing !== undefined && last.typing === typing) {
          pending = [...pending.slice(0, -1), { ...last, title, changes }];
        } else {
          if (timer !== undefined) send();
          pending = [...pending, { title, changes, typing, state: 'waiting' }];
        }
        set({ failure: null, history: { undo: title, redo: null } });
        publish();
        clearTimeout(timer);
        if (typing === undefined) send();
        else timer = setTimeout(send, stepMs);
      },
      undo: () => ask(() => bridge.call('drafts.undo', {})),
      redo: () => ask(() => bridge.call('drafts.redo', {})),
      settleConflict: (input) => ask(() => bridge.call('drafts.settleConflict', input)),
      async stored() {
        send();
        await queue;
      },
      dismiss: () => set({ failure: null }),
      start: () =>
        followEvent(bridge, 'drafts.changed', () => {
          if (timer === undefined) send();
          read();
        }),
    };
  });
}

function withChanges(campaigns: DraftedCampaigns, changes: readonly DraftChange[]): DraftedCampaigns {
  const next: Record<number, CampaignDraftView> = { ...campaigns };
  for (const { cid, field, draft } of changes) {
    const campaign = next[cid] ?? { cid, name: '', fields: {}, proposalId: null, returned: null };
    const { [field]: _, ...others } = campaign.fields;
    const fields = draft === null ? others : { ...campaign.fields, [field]: draft };
    if (Object.keys(fields).length === 0) delete next[cid];
    else next[cid] = { ...campaign, fields };
  }
  return next;
}
