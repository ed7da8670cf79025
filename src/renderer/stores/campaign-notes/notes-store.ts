import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { CampaignLabel, CampaignNote, LabelColor } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { type Acting, createAct } from '../acting.ts';
import { followEvent, readAgain } from '../follow-core.ts';

/** The kind of an action on labels and notes. */
export type NoteDoing = 'saveLabel' | 'removeLabel' | 'assign' | 'note';

/** Labels and notes of the active profile's campaigns. They are on this computer only. */
export interface NotesState extends Acting<NoteDoing> {
  /** By name. */
  labels: readonly CampaignLabel[];
  /** A campaign without any is absent. */
  byCid: ReadonlyMap<number, CampaignNote>;
  /** Resolves to the label, or to null where it was refused. */
  saveLabel: (label: { id: string | null; name: string; color: LabelColor }) => Promise<CampaignLabel | null>;
  removeLabel: (id: string) => Promise<void>;
  assign: (cids: readonly number[], change: { add?: string[]; remove?: string[] }) => Promise<void>;
  /** Resolves to false where it was refused, or another action is under way. */
  setNote: (cid: number, note: string) => Promise<boolean>;
  dismiss: () => void;
  /** Keeps them current. Returns the unsubscribe function. Call once. */
  start: () => () => void;
}

export type NotesStore = StoreApi<NotesState>;

/** Makes the store of labels and notes. */
export function createNotesStore(bridge: AppBridge): NotesStore {
  return createStore<NotesState>((set, get) => {
    const act = createAct<NoteDoing>(get, set);

    async function read(): Promise<void> {
      try {
        const { labels, campaigns } = await bridge.call('campaigns.notes', {});
        set({ labels, byCid: new Map(campaigns.map((note) => [note.cid, note])) });
      } catch (failure) {
        if (!(failure instanceof AppError)) throw failure;
      }
    }

    /** Does it and reads again, so that the page shows it before the next event. */
    async function attempt<T>(doing: NoteDoing, ask: () => Promise<T>): Promise<{ answer: T } | null> {
      const done = await act(doing, async () => ({ answer: await ask() }));
      if (done !== null) await read();
      return done;
    }

    return {
      labels: [],
      byCid: new Map(),
      doing: null,
      refusal: null,
      saveLabel: async (label) =>
        (await attempt('saveLabel', () => bridge.call('campaigns.saveLabel', label)))?.answer ?? null,
      async removeLabel(id) {
        await attempt('removeLabel', () => bridge.call('campaigns.removeLabel', { id }));
      },
      async assign(cids, { add = [], remove = [] }) {
        const change = { cids: [...cids], add, remove };
        await attempt('assign', () => bridge.call('campaigns.assignLabels', change));
      },
      setNote: async (cid, note) =>
        (await attempt('note', () => bridge.call('campaigns.setNote', { cid, note }))) !== null,
      dismiss: () => set({ refusal: null }),
      start() {
        const readOften = readAgain(read);
        const stops = [
          followEvent(bridge, 'notes.changed', readOften),
          bridge.subscribe(({ kind }) => kind === 'profiles.changed' && readOften()),
        ];
        return () => stops.forEach((stop) => stop());
      },
    };
  });
}

/** The labels that are on all, on some and on none of these campaigns. */
export function labelsOn(
  { labels, byCid }: Pick<NotesState, 'labels' | 'byCid'>,
  cids: readonly number[],
): { label: CampaignLabel; on: 'all' | 'some' | 'none' }[] {
  const counts = new Map<string, number>();
  for (const cid of cids) {
    for (const id of byCid.get(cid)?.labels ?? []) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return labels.map((label) => {
    const count = counts.get(label.id) ?? 0;
    return { label, on: count === 0 ? 'none' : count === cids.length ? 'all' : 'some' };
  });
}
