import { appBridge } from '#renderer/api/app-bridge.ts';
import { campaignSearchStore, type CampaignSearchStore } from './campaign-search.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { Guardrails } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { jsonEqual } from '#shared/lib/json/json-value.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Acting, asFailure, createAct, followEvent, readAgain, readOrKeep } from '../follow-core.ts';
import {
  fieldsOf,
  formOf,
  movedForm,
  readCids,
  readForm,
  type GuardrailErrors,
  type GuardrailField,
  type GuardrailsForm,
  type Rule,
} from './guardrails-form.ts';

/** Limits for every agent of one profile: as stored, and as they are being edited. */
export interface GuardrailsState extends Acting<'save'> {
  profileId: string | null;
  /** Null until the first answer about this profile. */
  stored: Guardrails | null;
  /** Null while nothing is edited. Kept while the person looks at other pages. */
  form: GuardrailsForm | null;
  /** The guardrails that the form was opened with, or last settled with what is stored; null while nothing is edited. */
  base: Guardrails | null;
  errors: GuardrailErrors;
  failure: AppError | null;
  /** The limit whose setting was asked for: it gets the focus in the form. */
  focus: Rule | 'untouchable' | null;
  /** Goes to the limits of another profile; what was edited and not saved is discarded. */
  show: (profileId: string) => void;
  edit: (focus?: Rule | 'untouchable') => void;
  discard: () => void;
  setOn: (rule: Rule, on: boolean) => void;
  type: (field: GuardrailField, text: string) => void;
  /** Protects these campaigns as well; what was wrong with them is judged again with Save. */
  protect: (cids: readonly number[]) => void;
  unprotect: (cid: number) => void;
  /** Settles that others were stored meanwhile: keeps the limits that were edited over those, or takes all of those. */
  settle: (keep: 'mine' | 'theirs') => void;
  /** Protects campaigns whose ids still stand in the search, and stores all. True when it is stored. */
  save: () => Promise<boolean>;
  /** Keeps it current while the page is open. Returns the unsubscribe function. */
  start: () => () => void;
}

/** True when something was changed and not saved. */
export function isEditing({ form, base }: Pick<GuardrailsState, 'form' | 'base'>): boolean {
  return form !== null && base !== null && JSON.stringify(form) !== JSON.stringify(formOf(base));
}

/** True when others were stored since the form was opened. */
export function isOutdated({ stored, base }: Pick<GuardrailsState, 'stored' | 'base'>): boolean {
  return stored !== null && base !== null && !jsonEqual(stored, base);
}

/** The form of what is stored, in which nothing is edited yet. */
const opened = (stored: Guardrails): Pick<GuardrailsState, 'form' | 'base'> => ({
  form: formOf(stored),
  base: stored,
});

const notNamed = 'This text protects no campaign. Pick a result, enter IDs, or clear it.';

const closed = { form: null, base: null, focus: null, errors: {} } as const;

/** Makes the store of guardrails. Campaigns to protect are searched for in `campaigns`. */
export function createGuardrailsStore(
  bridge: AppBridge,
  campaigns: CampaignSearchStore,
): StoreApi<GuardrailsState> {
  return createStore<GuardrailsState>((set, get) => {
    const act = createAct<'save'>(get, set);
    const read = readAgain(async () => {
      const { profileId } = get();
      if (profileId === null) return;
      try {
        const stored = await bridge.call('guardrails.get', { profileId });
        if (get().profileId !== profileId) return;
        set({ stored, failure: null });
        // Its setting was asked for before it was read.
        const isAsked = get().focus !== null && get().form === null;
        const isUntouched = get().form !== null && !isEditing(get());
        if (isAsked || isUntouched) set(opened(stored));
      } catch (error) {
        const failure = asFailure(error);
        if (get().profileId === profileId) set({ failure });
      }
    });

    /** A field that is written again is judged again with Save, not before. */
    function change(next: Partial<GuardrailsForm>, ...fields: readonly string[]): void {
      const { form, errors } = get();
      if (form === null) return;
      const left = Object.entries(errors).filter(([field]) => !fields.includes(field));
      set({ form: { ...form, ...next }, errors: Object.fromEntries(left) });
    }

    /** Protects the ids that stand in the search. False for other text, which names no campaign yet. */
    function protectSearched(): boolean {
      const { query, search } = campaigns.getState();
      if (query.trim() === '') return true;
      const searched = readCids(query);
      if (searched.kind === 'wrong') return false;
      get().protect(searched.cids);
      search('');
      return true;
    }

    return {
      profileId: null,
      stored: null,
      ...closed,
      failure: null,
      doing: null,
      refusal: null,
      show(profileId) {
        if (get().profileId === profileId) return;
        set({ ...closed, profileId, stored: null, failure: null, refusal: null });
        read();
      },
      edit(focus) {
        const { stored, form } = get();
        if (form === null && stored !== null) set(opened(stored));
        set({ focus: focus ?? null, errors: {}, refusal: null });
      },
      discard: () => set({ ...closed, refusal: null }),
      setOn(rule, on) {
        const { form } = get();
        if (form !== null) change({ on: { ...form.on, [rule]: on } }, ...fieldsOf[rule]);
      },
      type(field, text) {
        const { form } = get();
        if (form !== null) change({ typed: { ...form.typed, [field]: text } }, field);
      },
      protect(cids) {
        const { form } = get();
        if (form !== null)
          change({ untouchable: [...new Set([...form.untouchable, ...cids])] }, 'untouchable');
      },
      unprotect(cid) {
        const { form } = get();
        if (form !== null)
          change({ untouchable: form.untouchable.filter((one) => one !== cid) }, 'untouchable');
      },
      settle(keep) {
        const { form, base, stored } = get();
        if (form === null || base === null || stored === null) return;
        const mine = keep === 'mine' ? { form: movedForm(form, base, stored) } : {};
        set({ ...opened(stored), ...mine, errors: {}, refusal: null });
      },
      async save() {
        const { form, base, profileId } = get();
        if (form === null || base === null || profileId === null) return false;
        const isNamed = protectSearched();
        const found = readForm(get().form ?? form);
        if (found.kind === 'wrong' || !isNamed) {
          const others = found.kind === 'wrong' ? found.errors : {};
          set({ errors: isNamed ? others : { ...others, untouchable: notNamed }, refusal: null });
          return false;
        }
        const stored = await act('save', () =>
          bridge.call('guardrails.set', { profileId, base, guardrails: found.guardrails }),
        );
        if (stored !== null) set({ ...closed, stored });
        else if (get().refusal?.failure.code === 'edit_conflict') read();
        return stored !== null;
      },
      start: () => followEvent(bridge, 'agents.changed', read),
    };
  });
}

/** The stored limits of profiles, for pages that only name them. */
export interface LimitsState {
  limits: Readonly<Record<string, Guardrails>>;
  /** Reads those of one profile now. They stay unknown where that fails. */
  read: (profileId: string) => Promise<void>;
}

function createLimitsStore(bridge: AppBridge): StoreApi<LimitsState> {
  return createStore<LimitsState>((set, get) => ({
    limits: {},
    read: (profileId) =>
      readOrKeep(set, async () => {
        const found = await bridge.call('guardrails.get', { profileId });
        return { limits: { ...get().limits, [profileId]: found } };
      }),
  }));
}

export const limitsStore = createLimitsStore(appBridge);

export const guardrailsStore = createGuardrailsStore(appBridge, campaignSearchStore);
