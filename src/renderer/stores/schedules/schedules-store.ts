import { appBridge } from '#renderer/api/app-bridge.ts';
import { newFile } from '#renderer/api/host-services.ts';
import { sessionStore, serviceAheadMs } from '../session-store.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { ProposalView, SchedulesView } from '#shared/app-api/index.ts';
import { maxReportDays } from '#shared/contract/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { createAct, type Acting, readInto, followEvent, readAgain } from '../follow-core.ts';
import { createFileRun, type FileRunParts, type FileRunState } from '../file-run.ts';
import {
  fieldOf,
  newForm,
  readForm,
  type FormErrors,
  type ReportForm,
  type ReportPrefill,
} from './report-form.ts';

export type SchedulesAction =
  { kind: 'propose' } | { kind: 'cancel'; id: string } | { kind: 'return'; id: string };

export interface SchedulesState extends Acting<SchedulesAction>, Pick<FileRunState, 'flow'> {
  view: SchedulesView | null;
  failure: AppError | null;
  form: ReportForm | null;
  /** Number of days of the source report, if a schedule can cover only fewer. */
  cutDays: number | null;
  errors: FormErrors;
  refresh: () => void;
  openForm: (prefill?: ReportPrefill) => void;
  edit: (change: Partial<ReportForm>) => void;
  closeForm: () => void;
  /** Resolves with the proposal's id, or with null if a field is invalid or the service refused it. */
  propose: () => Promise<string | null>;
  proposeCancel: (id: string) => Promise<string | null>;
  moveReturn: (id: string, atMs: number) => Promise<boolean>;
  cancelReturn: (id: string) => Promise<boolean>;
  returnNow: (id: string) => Promise<string | null>;
  saveFile: (id: string, name: string) => Promise<void>;
  dismissFile: () => void;
  dismiss: () => void;
  start: () => () => void;
}

export interface SchedulesStoreParts extends Pick<FileRunParts<never>, 'newFile'> {
  bridge: AppBridge;
  nowMs?: () => number;
  zone: () => string;
}

function createSchedulesStore({
  bridge,
  newFile,
  nowMs = Date.now,
  zone,
}: SchedulesStoreParts): StoreApi<SchedulesState> {
  return createStore<SchedulesState>((set, get) => {
    const act = createAct<SchedulesAction>(get, set);
    const files = createFileRun({ newFile, get, set });

    async function read(isFresh: boolean): Promise<void> {
      await readInto(set, async () => ({ view: await bridge.call('schedules.list', { read: isFresh }) }));
    }
    const readKnown = readAgain(() => read(false));

    function takeRefusal(): void {
      const { refusal } = get();
      if (refusal?.of.kind !== 'propose') return;
      const named = refusal.failure.fields.flatMap(({ field, message }) => {
        const known = fieldOf(field);
        return known === null ? [] : [[known, message] as const];
      });
      set({ errors: Object.fromEntries(named) });
    }

    const proposed = async (
      action: SchedulesAction,
      ask: () => Promise<ProposalView>,
    ): Promise<string | null> => (await act(action, ask))?.id ?? null;

    return {
      view: null,
      failure: null,
      flow: { kind: 'idle' },
      form: null,
      cutDays: null,
      errors: {},
      doing: null,
      refusal: null,
      refresh: () => void read(true),
      openForm(prefill = {}) {
        const { days = 0 } = prefill;
        set({
          form: newForm(prefill, { zone: zone(), nowMs: nowMs() }),
          cutDays: days > maxReportDays ? days : null,
          errors: {},
          refusal: null,
        });
      },
      edit(change) {
        const { form, errors } = get();
        if (form === null) return;
        const left = Object.entries(errors).filter(([field]) => !Object.hasOwn(change, field));
        set({ form: { ...form, ...change }, errors: Object.fromEntries(left) });
      },
      closeForm: () => set({ form: null, errors: {}, refusal: null }),
      async propose() {
        const { form } = get();
        if (form === null) return null;
        const read = readForm(form, nowMs());
        if ('errors' in read) {
          set({ errors: read.errors, refusal: null });
          return null;
        }
        const { task } = read;
        const id = await proposed({ kind: 'propose' }, () =>
          bridge.call('schedules.proposeReport', { task }),
        );
        if (id === null) takeRefusal();
        else set({ form: null, errors: {} });
        return id;
      },
      proposeCancel: (id) =>
        proposed({ kind: 'cancel', id }, () => bridge.call('schedules.proposeCancel', { id })),
      moveReturn: async (id, atMs) =>
        (await act({ kind: 'return', id }, () => bridge.call('schedules.moveReturn', { id, atMs }))) !== null,
      cancelReturn: async (id) =>
        (await act({ kind: 'return', id }, () => bridge.call('schedules.cancelReturn', { id }))) !== null,
      returnNow: (id) => proposed({ kind: 'return', id }, () => bridge.call('schedules.returnNow', { id })),
      saveFile: (id, name) =>
        files.begin(() =>
          files.fill(name, async (file) => file.add((await bridge.call('schedules.file', { id })).text)),
        ),
      dismissFile: files.dismiss,
      dismiss: () => set({ refusal: null }),
      start() {
        const stop = followEvent(bridge, ['schedules.changed', 'proposals.changed'], readKnown);
        void read(true);
        return stop;
      },
    };
  });
}

export const schedulesStore = createSchedulesStore({
  bridge: appBridge,
  newFile,
  zone: () => sessionStore.getState().session?.profile.zone ?? 'UTC',
  nowMs: () => Date.now() + serviceAheadMs(sessionStore.getState()),
});
