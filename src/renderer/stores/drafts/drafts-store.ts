import { appBridge } from '#renderer/api/app-bridge.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppInput, CampaignDraftView } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { asFailure, followConnection, readAgain, readInto, stopAll } from '../follow-core.ts';

/** A change of one field's draft. Null removes the draft. */
export type DraftChange = AppInput<'drafts.change'>['changes'][number];

type DraftedCampaigns = Readonly<Record<number, CampaignDraftView>>;

export interface DraftsState {
  /** Includes changes that the core has not confirmed yet. */
  campaigns: DraftedCampaigns;
  history: { undo: string | null; redo: string | null };
  /** The id of the next undo step. Null if there is none, and while a change is being sent. */
  newestStep: number | null;
  isRead: boolean;
  failure: AppError | null;
  /** Changes drafts. Successive changes with the same `typing` become one step if they follow quickly. */
  change: (title: string, changes: readonly DraftChange[], typing?: string) => void;
  undo: () => Promise<void>;
  redo: () => Promise<void>;
  settleConflict: (input: AppInput<'drafts.settleConflict'>) => Promise<void>;
  /** Resolves when every change is stored or refused. */
  stored: () => Promise<void>;
  dismiss: () => void;
  start: () => () => void;
}

export type DraftsStore = StoreApi<DraftsState>;

interface TypingTimes {
  /** Typing that continues within this time needs no step of its own. */
  stepMs: number;
  /** Uninterrupted typing is stored after this time as a part of its step, so that a crash loses little. */
  maxWaitMs: number;
}

const typingTimes: TypingTimes = { stepMs: 600, maxWaitMs: 1_000 };

interface PendingChange {
  title: string;
  changes: readonly DraftChange[];
  continues: boolean;
  state: 'waiting' | 'queued' | 'stored';
}

export function createDraftsStore(
  bridge: AppBridge,
  { stepMs, maxWaitMs }: TypingTimes = typingTimes,
): DraftsStore {
  return createStore<DraftsState>((set) => {
    let known: DraftedCampaigns = {};
    let pending: PendingChange[] = [];
    let typing: string | undefined;
    let pause: ReturnType<typeof setTimeout> | undefined;
    let maxWait: ReturnType<typeof setTimeout> | undefined;
    let queue: Promise<void> = Promise.resolve();

    function publish(): void {
      set({ campaigns: pending.reduce((all, { changes }) => withChanges(all, changes), known) });
    }

    const read = readChanged(async (cids) => {
      const answered = pending.filter(({ state }) => state === 'stored');
      try {
        const { campaigns, history, newestStep } = await bridge.call('drafts.get', {
          cids: cids && [...cids],
        });
        known = withRead(cids === null ? {} : known, campaigns, cids ?? []);
        pending = pending.filter((change) => !answered.includes(change));
        set({ history, newestStep: pending.length === 0 ? newestStep : null, isRead: true });
        publish();
        return true;
      } catch (error) {
        set({ failure: asFailure(error) });
        return false;
      }
    });

    /**
     * A change that does not reach the core waits for the next connection. Later changes wait too, so that their order is
     * kept.
     */
    async function store(change: PendingChange): Promise<void> {
      if (pending.slice(0, pending.indexOf(change)).some(({ state }) => state === 'waiting')) {
        change.state = 'waiting';
        return;
      }
      try {
        const { title, changes, continues } = change;
        await bridge.call('drafts.change', { title, changes: [...changes], ...(continues && { continues }) });
        change.state = 'stored';
      } catch (error) {
        const failure = asFailure(error);
        if (failure.code === 'core_unreachable') {
          change.state = 'waiting';
        } else {
          pending = pending.filter((other) => other !== change);
          set({ failure });
          publish();
        }
      }
      read(change.changes.map(({ cid }) => cid));
    }

    function send(): void {
      clearTimeout(pause);
      typing = undefined;
      storeWaiting();
    }

    function storeWaiting(): void {
      clearTimeout(maxWait);
      maxWait = undefined;
      for (const change of pending) {
        if (change.state !== 'waiting') continue;
        change.state = 'queued';
        queue = queue.then(() => store(change));
      }
    }

    async function ask(call: () => Promise<unknown>, cids: readonly number[] = []): Promise<void> {
      send();
      await queue;
      await readInto(set, async () => {
        await call();
        return {};
      });
      read(cids);
    }

    return {
      campaigns: {},
      history: { undo: null, redo: null },
      newestStep: null,
      isRead: false,
      failure: null,
      change(title, changes, typedField) {
        if (typing !== undefined && typing !== typedField) send();
        const continues = typing !== undefined;
        const last = pending.at(-1);
        if (continues && last?.state === 'waiting') {
          pending = [...pending.slice(0, -1), { ...last, title, changes }];
        } else {
          pending = [...pending, { title, changes, continues, state: 'waiting' }];
        }
        set({ failure: null, history: { undo: title, redo: null }, newestStep: null });
        publish();
        if (typedField === undefined) return send();
        typing = typedField;
        clearTimeout(pause);
        pause = setTimeout(send, stepMs);
        maxWait ??= setTimeout(storeWaiting, maxWaitMs);
      },
      undo: () => ask(() => bridge.call('drafts.undo', {})),
      redo: () => ask(() => bridge.call('drafts.redo', {})),
      settleConflict: (input) => ask(() => bridge.call('drafts.settleConflict', input), [input.cid]),
      async stored() {
        send();
        await queue;
      },
      dismiss: () => set({ failure: null }),
      start: () =>
        followDrafts(bridge, (cids) => {
          if (typing === undefined) send();
          read(cids);
        }),
    };
  });
}

const undrafted: Omit<CampaignDraftView, 'cid'> = {
  name: '',
  fields: {},
  proposalId: null,
  proposalState: null,
  returned: null,
};

function withRead(
  known: DraftedCampaigns,
  campaigns: readonly CampaignDraftView[],
  cids: Iterable<number>,
): DraftedCampaigns {
  const next: Record<number, CampaignDraftView> = { ...known };
  for (const cid of cids) delete next[cid];
  for (const campaign of campaigns) next[campaign.cid] = campaign;
  return next;
}

function withChanges(campaigns: DraftedCampaigns, changes: readonly DraftChange[]): DraftedCampaigns {
  const next: Record<number, CampaignDraftView> = { ...campaigns };
  for (const { cid, field, draft } of changes) {
    const campaign: CampaignDraftView = next[cid] ?? { ...undrafted, cid };
    const { [field]: _, ...others } = campaign.fields;
    const fields = draft === null ? others : { ...campaign.fields, [field]: draft };
    if (Object.keys(fields).length === 0) delete next[cid];
    else next[cid] = { ...campaign, fields, returned: withoutField(campaign.returned, field) };
  }
  return next;
}

/** Drops the service's refusal of a field, because it is about the earlier draft. */
function withoutField(returned: CampaignDraftView['returned'], field: string): CampaignDraftView['returned'] {
  return returned && { ...returned, fields: returned.fields.filter((one) => one.field !== field) };
}

export const draftsStore = createDraftsStore(appBridge);

/** `[]` means that any campaign may have changed. */
type ChangedCids = readonly number[];

/** Above this number of changed campaigns, reading all campaigns is cheaper. */
const maxNamed = 1_000;

/**
 * Reads the campaigns that changed since the last read. `read` gets null for all campaigns, and resolves to false if it
 * failed.
 */
export function readChanged(
  read: (cids: ReadonlySet<number> | null) => Promise<boolean>,
): (cids: ChangedCids) => void {
  let changed: Set<number> | null = null;
  const again = readAgain(async () => {
    const cids = changed === null || changed.size > maxNamed ? null : changed;
    changed = new Set();
    if (!(await read(cids))) changed = null;
  });
  return (cids) => {
    if (cids.length === 0) changed = null;
    else for (const cid of cids) changed?.add(cid);
    again();
  };
}

export function followDrafts(bridge: AppBridge, read: (cids: ChangedCids) => void): () => void {
  const stopEvents = bridge.subscribe((event) => {
    if (event.kind === 'drafts.changed') read(event.cids);
    if (event.kind === 'profiles.changed') read([]);
  });
  return stopAll(
    stopEvents,
    followConnection(bridge, () => read([])),
  );
}
