import { appBridge } from '#renderer/api/app-bridge.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import {
  type CampaignLabel,
  type CampaignNote,
  type LabelColor,
  maxCampaignNoteLength,
} from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { codePointLength } from '#shared/lib/inert-text.ts';
import { createSerialQueue } from '#shared/lib/serial-queue.ts';
import {
  type Acting,
  asFailure,
  createAct,
  followConnection,
  followEvent,
  readAgain,
  readOrKeep,
  stopAll,
} from './follow-core.ts';

export type LabelDoing = 'saveLabel' | 'removeLabel' | 'assign';

export interface TypedNote {
  text: string;
  /** False if the note waits to be stored, is too long, or was refused. */
  isStored: boolean;
  failure: AppError | null;
}

export interface NotesState extends Acting<LabelDoing> {
  labels: readonly CampaignLabel[];
  byCid: ReadonlyMap<number, CampaignNote>;
  /** Resolves to null if the core refused it or another label is being saved. */
  saveLabel: (label: { id: string | null; name: string; color: LabelColor }) => Promise<CampaignLabel | null>;
  removeLabel: (id: string) => Promise<void>;
  assign: (cids: readonly number[], change: { add?: string[]; remove?: string[] }) => Promise<void>;
  /** Notes that are being typed or could not be stored. They survive when the panel closes. */
  typed: ReadonlyMap<number, TypedNote>;
  typeNote: (cid: number, text: string) => void;
  /** Stores the note at once, and removes it from `typed` when it is stored. */
  leaveNote: (cid: number) => Promise<void>;
  discardNote: (cid: number) => void;
  start: () => () => void;
}

const typingPauseMs = 600;

export function createNotesStore(bridge: AppBridge, pauseMs = typingPauseMs): StoreApi<NotesState> {
  return createStore<NotesState>((set, get) => {
    const act = createAct<LabelDoing>(get, set);
    const inTurn = createSerialQueue();
    let isSavingLabel = false;
    let pause: ReturnType<typeof setTimeout> | undefined;
    let queue: Promise<void> = Promise.resolve();

    const read = (): Promise<void> =>
      readOrKeep(set, async () => {
        const { labels, campaigns } = await bridge.call('campaigns.notes', {});
        return { labels, byCid: new Map(campaigns.map((note) => [note.cid, note])) };
      });

    /** Runs after earlier requests, and reads at once instead of waiting for the event. */
    function attempt<T>(doing: LabelDoing, ask: () => Promise<T>): Promise<{ answer: T } | null> {
      return inTurn(async () => {
        const done = await act(doing, async () => ({ answer: await ask() }));
        if (done !== null) await read();
        return done;
      });
    }

    function put(cid: number, note: TypedNote | null): void {
      const typed = new Map(get().typed);
      if (note === null) typed.delete(cid);
      else typed.set(cid, note);
      set({ typed });
    }

    async function store(cid: number): Promise<void> {
      const note = get().typed.get(cid);
      if (note === undefined || note.isStored || isTooLong(note.text)) return;
      let failure: AppError | null = null;
      try {
        await bridge.call('campaigns.setNote', { cid, note: note.text.trim() });
        await read();
      } catch (error) {
        failure = asFailure(error);
      }
      // Text typed in the meantime is stored after the next pause.
      if (get().typed.get(cid) === note) put(cid, { ...note, isStored: failure === null, failure });
    }

    /** Requests run one after the other, so that the text typed last is stored last. */
    function storeTyped(): Promise<void> {
      clearTimeout(pause);
      for (const cid of get().typed.keys()) queue = queue.then(() => store(cid));
      return queue;
    }

    return {
      labels: [],
      byCid: new Map(),
      typed: new Map(),
      doing: null,
      refusal: null,
      async saveLabel(label) {
        // A second press in the same form is ignored.
        if (isSavingLabel) return null;
        isSavingLabel = true;
        const saved = await attempt('saveLabel', () => bridge.call('campaigns.saveLabel', label)).finally(
          () => (isSavingLabel = false),
        );
        return saved?.answer ?? null;
      },
      async removeLabel(id) {
        await attempt('removeLabel', () => bridge.call('campaigns.removeLabel', { id }));
      },
      async assign(cids, { add = [], remove = [] }) {
        const change = { cids: [...cids], add, remove };
        await attempt('assign', () => bridge.call('campaigns.assignLabels', change));
      },
      typeNote(cid, text) {
        put(cid, { text, isStored: false, failure: null });
        clearTimeout(pause);
        pause = setTimeout(() => void storeTyped(), pauseMs);
      },
      async leaveNote(cid) {
        await storeTyped();
        if (get().typed.get(cid)?.isStored) put(cid, null);
      },
      discardNote: (cid) => put(cid, null),
      start: () =>
        stopAll(
          followEvent(bridge, ['notes.changed', 'profiles.changed'], readAgain(read)),
          followConnection(bridge, () => void storeTyped()),
        ),
    };
  });
}

export function isTooLong(text: string): boolean {
  return codePointLength(text.trim()) > maxCampaignNoteLength;
}

export function hasUnsavedNotes({ typed }: Pick<NotesState, 'typed'>): boolean {
  return [...typed.values()].some(({ isStored }) => !isStored);
}

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

export const notesStore = createNotesStore(appBridge);
