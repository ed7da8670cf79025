import { appBridge } from '#renderer/api/app-bridge.ts';
import { campaignSearchStore, type CampaignSearchStore } from './campaign-search.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { Guardrails } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { jsonEqual } from '#shared/lib/json/json-value.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Acting, asFailure, createAct, followEvent, readAgain, readOrKeep } from '../follow-core.ts';
import { unsavedEdits } from '../profiles/profiles-store.ts';
import {
  fieldsOf,
  formOf,
  rebasedForm,
  readCids,
  readForm,
  type GuardrailErrors,
  type GuardrailField,
  type GuardrailsForm,
  type Rule,
} from './guardrails-form.ts';

export interface GuardrailsState extends Acting<'save'> {
  profileId: string | null;
  stored: Guardrails | null;
  /** Null while no form is open. The form survives visits to other pages. */
  form: GuardrailsForm | null;
  base: Guardrails | null;
  errors: GuardrailErrors;
  failure: AppError | null;
  focus: Rule | 'untouchable' | null;
  show: (profileId: string) => void;
  edit: (focus?: Rule | 'untouchable') => void;
  discard: () => void;
  setOn: (rule: Rule, on: boolean) => void;
  type: (field: GuardrailField, text: string) => void;
  protect: (cids: readonly number[]) => void;
  unprotect: (cid: number) => void;
  /** Settles a conflict with newer stored limits: keeps the edited limits, or takes all stored ones. */
  settle: (keep: 'mine' | 'theirs') => void;
  /**
   * Adds campaign ids that are still in the search field to the protected ones, and stores everything. True if it is
   * stored.
   */
  save: () => Promise<boolean>;
  start: () => () => void;
}

export function isEditing({ form, base }: Pick<GuardrailsState, 'form' | 'base'>): boolean {
  return form !== null && base !== null && JSON.stringify(form) !== JSON.stringify(formOf(base));
}

export function isOutdated({ stored, base }: Pick<GuardrailsState, 'stored' | 'base'>): boolean {
  return stored !== null && base !== null && !jsonEqual(stored, base);
}

const opened = (stored: Guardrails): Pick<GuardrailsState, 'form' | 'base'> => ({
  form: formOf(stored),
  base: stored,
});

const notNamed = 'This text protects no campaign. Pick a result, enter IDs, or clear it.';

const closed = { form: null, base: null, focus: null, errors: {} } as const;

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
        // The setting was requested before the guardrails were read.
        const isAsked = get().focus !== null && get().form === null;
        const isUntouched = get().form !== null && !isEditing(get());
        if (isAsked || isUntouched) set(opened(stored));
      } catch (error) {
        const failure = asFailure(error);
        if (get().profileId === profileId) set({ failure });
      }
    });

    /** Removes the errors of the edited fields, because they are checked again only by Save. */
    function change(next: Partial<GuardrailsForm>, ...fields: readonly string[]): void {
      const { form, errors } = get();
      if (form === null) return;
      const left = Object.entries(errors).filter(([field]) => !fields.includes(field));
      set({ form: { ...form, ...next }, errors: Object.fromEntries(left) });
    }

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
        const mine = keep === 'mine' ? { form: rebasedForm(form, base, stored) } : {};
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

export interface LimitsState {
  limits: Readonly<Record<string, Guardrails>>;
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

unsavedEdits.add(() => isEditing(guardrailsStore.getState()));
