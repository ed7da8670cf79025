import type { AppBridge } from '#renderer/api/bridge.ts';
import type { Guardrails } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { followEvent, readAgain } from '../follow-core.ts';
import { createAct, type Acting } from '../acting.ts';
import {
  formOf,
  readForm,
  type GuardrailErrors,
  type GuardrailField,
  type GuardrailsForm,
  type Rule,
} from './guardrails-form.ts';

/** Limits for every agent: as stored, and as they are being edited. */
export interface GuardrailsState extends Acting<'save'> {
  stored: Guardrails | null;
  /** Null while nothing is edited. Kept while the person looks at other pages. */
  form: GuardrailsForm | null;
  errors: GuardrailErrors;
  failure: AppError | null;
  edit: () => void;
  discard: () => void;
  setOn: (rule: Rule, on: boolean) => void;
  type: (field: GuardrailField, text: string) => void;
  typeUntouchable: (profileId: string, text: string) => void;
  /** True when it is stored. */
  save: () => Promise<boolean>;
  /** Keeps it current while the page is open. Returns the unsubscribe function. */
  start: () => () => void;
}

export type GuardrailsStore = StoreApi<GuardrailsState>;

/** True when something was changed and not saved. */
export function isEditing({ form, stored }: Pick<GuardrailsState, 'form' | 'stored'>): boolean {
  return form !== null && stored !== null && JSON.stringify(form) !== JSON.stringify(formOf(stored));
}

/** Makes the store of guardrails. */
export function createGuardrailsStore(bridge: AppBridge): GuardrailsStore {
  return createStore<GuardrailsState>((set, get) => {
    const act = createAct<'save'>(get, set);
    const read = readAgain(async () => {
      try {
        set({ stored: await bridge.call('guardrails.get', {}), failure: null });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        set({ failure: error });
      }
    });

    /** A field that is written again is judged again with Save, not before. */
    function change(next: Partial<GuardrailsForm>, ...fields: string[]): void {
      const { form, errors } = get();
      if (form === null) return;
      const left = Object.entries(errors).filter(([field]) => !fields.includes(field));
      set({ form: { ...form, ...next }, errors: Object.fromEntries(left) });
    }

    return {
      stored: null,
      form: null,
      errors: {},
      failure: null,
      doing: null,
      refusal: null,
      edit() {
        const { stored } = get();
        if (stored !== null) set({ form: formOf(stored), errors: {}, refusal: null });
      },
      discard: () => set({ form: null, errors: {}, refusal: null }),
      setOn(rule, on) {
        const { form } = get();
        if (form !== null) change({ on: { ...form.on, [rule]: on } }, ...fieldsOf[rule]);
      },
      type(field, text) {
        const { form } = get();
        if (form !== null) change({ typed: { ...form.typed, [field]: text } }, field);
      },
      typeUntouchable(profileId, text) {
        const { form } = get();
        if (form === null) return;
        change({ untouchable: { ...form.untouchable, [profileId]: text } }, `untouchable.${profileId}`);
      },
      async save() {
        const { form } = get();
        if (form === null) return false;
        const found = readForm(form);
        if (found.kind === 'wrong') {
          set({ errors: found.errors, refusal: null });
          return false;
        }
        const stored = await act('save', () => bridge.call('guardrails.set', found.guardrails));
        if (stored !== null) set({ stored, form: null, errors: {} });
        return stored !== null;
      },
      start: () => followEvent(bridge, 'agents.changed', read),
    };
  });
}

const fieldsOf: Record<Rule, GuardrailField[]> = {
  bidFactor: ['bidFactor'],
  raise: ['raise'],
  raiseUntilEnd: ['raiseUntilEnd'],
  campaigns: ['campaigns'],
  pace: ['paceChanges', 'paceMinutes'],
  spendPace: ['spendAmount', 'spendHours'],
  quiet: ['quietFrom', 'quietUntil'],
};
