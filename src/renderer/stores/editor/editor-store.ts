import { appBridge } from '#renderer/api/app-bridge.ts';
import { draftsStore, type DraftsState, type DraftsStore } from '../drafts/drafts-store.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { CampaignDetail } from '#shared/app-api/index.ts';
import { type CampaignDraft, fieldsOfKind, readTypedAmount, readTypedDate } from '#shared/drafts/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { numberedQuestions } from '#shared/lib/numbered-questions.ts';
import { asFailure, followConnection, readAgain, serviceEveryMs, stopAll } from '../follow-core.ts';

export interface Refusal {
  message: string;
  next: string;
  fields: readonly { field: string; message: string }[];
  drafts: CampaignDraft;
}

/** A reload keeps the data of the earlier read, so that nothing flickers and no typed text is lost. */
export interface OpenCampaign {
  detail: CampaignDetail | null;
  failure: AppError | null;
  /** Typed texts by field that are not valid values yet. All other edits are drafts. */
  typed: Readonly<Record<string, string>>;
  refusal: Refusal | null;
  proposing: boolean;
}

export interface EditorState {
  campaigns: Readonly<Record<number, OpenCampaign>>;
  open: (cid: number) => void;
  /** Stores the text of a field. Null if it has become a valid value or was reverted. */
  type: (cid: number, field: string, text: string | null) => void;
  forgetTyped: (cid: number) => void;
  /** Resolves with the proposal's id, or with null and the reason in `refusal`. */
  propose: (cid: number) => Promise<string | null>;
  start: () => () => void;
}

const unread: OpenCampaign = { detail: null, failure: null, typed: {}, refusal: null, proposing: false };

export function createEditorStore(bridge: AppBridge, drafts: DraftsStore): StoreApi<EditorState> {
  return createStore<EditorState>((set, get) => {
    let current: number | null = null;
    const questions = new Map<number, ReturnType<typeof numberedQuestions>>();
    const at = (cid: number): OpenCampaign => get().campaigns[cid] ?? unread;
    const put = (cid: number, change: Partial<OpenCampaign>): void =>
      set({ campaigns: { ...get().campaigns, [cid]: { ...at(cid), ...change } } });

    function questionAbout(cid: number): () => boolean {
      const question = questions.get(cid) ?? numberedQuestions();
      questions.set(cid, question);
      return question();
    }

    async function read(cid: number): Promise<void> {
      const isNewest = questionAbout(cid);
      try {
        const detail = await bridge.call('campaigns.get', { cid });
        if (isNewest()) put(cid, { detail, failure: null });
      } catch (error) {
        const failure = asFailure(error);
        // After a sign-out, the campaign belongs to no account.
        const isLeft = failure.code === 'credential_missing';
        if (isNewest()) put(cid, { failure, ...(isLeft ? { detail: null } : {}) });
      }
    }

    async function propose(cid: number): Promise<string | null> {
      if (at(cid).proposing) return null;
      put(cid, { proposing: true, refusal: null });
      const refuse = (failure: Omit<Refusal, 'drafts'>): void =>
        put(cid, { refusal: { ...failure, drafts: drafts.getState().campaigns[cid]?.fields ?? {} } });
      try {
        await drafts.getState().stored();
        const { proposed, refused } = await bridge.call('drafts.propose', { cids: [cid] });
        const [reason] = refused;
        if (reason !== undefined) refuse({ message: reason.message, next: '', fields: reason.fields });
        void read(cid);
        return proposed.find((made) => made.cid === cid)?.proposalId ?? null;
      } catch (error) {
        const { message, next, fields } = asFailure(error);
        refuse({ message, next, fields });
        return null;
      } finally {
        put(cid, { proposing: false });
      }
    }

    /** A draft that was undone or made elsewhere must replace invalid text in its field. */
    function forgetReplaced({ campaigns: drafted }: DraftsState): void {
      for (const [cid, { typed }] of Object.entries(get().campaigns)) {
        const fields = drafted[Number(cid)]?.fields ?? {};
        for (const [field, text] of Object.entries(typed))
          if (Object.hasOwn(fields, field) && typedFault(field, text) !== null)
            get().type(Number(cid), field, null);
      }
    }

    const readCurrent = readAgain(async () => {
      if (current !== null) await read(current);
    }, serviceEveryMs);

    return {
      campaigns: {},
      open(cid) {
        current = cid;
        if (!get().campaigns[cid]) put(cid, {});
        void read(cid);
      },
      type(cid, field, text) {
        const { [field]: _, ...others } = at(cid).typed;
        put(cid, { typed: text === null ? others : { ...others, [field]: text }, refusal: null });
      },
      forgetTyped: (cid) => put(cid, { typed: {}, refusal: null }),
      propose,
      start: () =>
        stopAll(
          drafts.subscribe(forgetReplaced),
          followCampaigns(bridge, (cids) => {
            if (current !== null && (cids?.includes(current) ?? true)) readCurrent();
          }),
        ),
    };
  });
}

const dateFields: ReadonlySet<string> = new Set(fieldsOfKind('date'));

export function typedFault(field: string, text: string): string | null {
  if (dateFields.has(field)) {
    const read = readTypedDate(text, '2000-01-01');
    return read.kind === 'wrong' ? read.message : null;
  }
  const read = readTypedAmount(text);
  if (read.kind === 'ask') return 'This can be read in two ways. Choose one.';
  return read.kind === 'wrong' ? read.message : null;
}

/** `changed` gets null if any campaign may have changed. */
function followCampaigns(bridge: AppBridge, changed: (cids: number[] | null) => void): () => void {
  const stopEvents = bridge.subscribe((event) => {
    // An event without ids means any campaign: the service is reachable again, or the computer woke up.
    if (event.kind === 'campaigns.changed') changed(event.cids.length === 0 ? null : event.cids);
    if (event.kind === 'proposals.changed') changed(null);
  });
  return stopAll(
    stopEvents,
    followConnection(bridge, () => changed(null)),
  );
}

export function hasUnsavedEdits({ campaigns }: Pick<EditorState, 'campaigns'>): boolean {
  return Object.values(campaigns).some(({ typed }) => Object.keys(typed).length > 0);
}

export const editorStore = createEditorStore(appBridge, draftsStore);
