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

/** The request under way: a proposal of a new report, or of the end of a task. */
export type SchedulesAction = { kind: 'propose' } | { kind: 'cancel'; id: string };

export interface SchedulesState extends Acting<SchedulesAction>, Pick<FileRunState, 'flow'> {
  /** Null until it was read. */
  view: SchedulesView | null;
  /** The reason if nothing could be read from the core itself. */
  failure: AppError | null;
  /** The open dialog; null where it is closed. */
  form: ReportForm | null;
  /** Days of the report that the dialog was opened from, if they are more than a schedule covers. */
  cutDays: number | null;
  /** Errors of its fields, after the first attempt. */
  errors: FormErrors;
  /** Reads the tasks of the service again. */
  refresh: () => void;
  /** Opens the dialog with what is known already. */
  openForm: (prefill?: ReportPrefill) => void;
  edit: (change: Partial<ReportForm>) => void;
  closeForm: () => void;
  /** Makes a proposal of the form. Resolves with its id, or null where a field or the service refused it. */
  propose: () => Promise<string | null>;
  /** Makes a proposal of the end of a task. Resolves as {@link propose} does. */
  proposeCancel: (id: string) => Promise<string | null>;
  /** Saves the file of a task's last run; `flow` says how far it is. */
  saveFile: (id: string, name: string) => Promise<void>;
  dismissFile: () => void;
  dismiss: () => void;
  /** Keeps the list current while the page is open. Returns the unsubscribe function. */
  start: () => () => void;
}

export interface SchedulesStoreParts extends Pick<FileRunParts<never>, 'newFile'> {
  bridge: AppBridge;
  nowMs?: () => number;
  /** The service-day zone of the active profile. */
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

    /** Field errors of the service are shown at their fields; everything else stays with the refusal. */
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
