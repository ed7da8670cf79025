import { appBridge } from '#renderer/api/app-bridge.ts';
import { copyText } from '#renderer/api/host-services.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { DoctorReport, DoctorStep } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { asFailure, followEvent, readAgain, readInto } from '#renderer/stores/follow-core.ts';
import type { Formats } from '#shared/lib/formats.ts';

export interface DoctorState {
  report: DoctorReport | null;
  copied: boolean;
  failure: AppError | null;
  examine: (profileId: string) => Promise<void>;
  stop: () => Promise<void>;
  copy: () => Promise<void>;
  start: () => () => void;
}

export type DoctorStore = StoreApi<DoctorState>;

export interface DoctorStoreParts {
  bridge: AppBridge;
  copyText(text: string): Promise<void>;
}

export function createDoctorStore({ bridge, copyText }: DoctorStoreParts): DoctorStore {
  return createStore<DoctorState>((set, get) => {
    async function take(ask: () => Promise<DoctorReport | null>): Promise<void> {
      await readInto(set, async () => ({ report: await ask() }));
    }
    const read = readAgain(() => take(() => bridge.call('doctor.get', {})));

    return {
      report: null,
      copied: false,
      failure: null,
      examine(profileId) {
        set({ copied: false });
        return take(() => bridge.call('doctor.start', { profileId }));
      },
      stop: () => take(() => bridge.call('doctor.stop', {})),
      async copy() {
        const { report } = get();
        if (report === null || report.text === '') return;
        try {
          await copyText(report.text);
          set({ copied: true, failure: null });
        } catch (error) {
          set({ failure: asFailure(error) });
        }
      },
      start: () => followEvent(bridge, 'doctor.changed', read),
    };
  });
}

export interface Verdict {
  kind: 'running' | 'well' | 'notices' | 'failed' | 'stopped';
  words: string;
  aside: string;
}

const finished = new Set<DoctorStep['state']>(['ok', 'notice', 'failed', 'skipped']);

export function verdictOf({ steps, endedAtMs }: DoctorReport, formats: Formats): Verdict {
  const count = (state: DoctorStep['state']): number => steps.filter((step) => step.state === state).length;
  const [failed, notices, skipped] = [count('failed'), count('notice'), count('skipped')];
  if (endedAtMs === null) {
    const done = steps.filter(({ state }) => finished.has(state)).length;
    return {
      kind: 'running',
      words: 'Examining…',
      aside: `${done} of ${formats.counted(steps.length, 'step')}`,
    };
  }
  const asides = [`${count('ok')} of ${formats.counted(steps.length, 'step is', 'steps are')} well`];
  if (skipped > 0) asides.push(`${skipped} not asked`);
  const aside = asides.join(' · ');
  if (steps.some(({ state }) => !finished.has(state))) return { kind: 'stopped', words: 'Stopped', aside };
  if (failed > 0) {
    const words = formats.counted(failed, 'thing does not work', 'things do not work');
    return { kind: 'failed', words, aside };
  }
  if (notices > 0) {
    const words = `Works, with ${formats.counted(notices, 'remark')}`;
    return { kind: 'notices', words, aside };
  }
  return { kind: 'well', words: skipped > 0 ? 'What was asked works' : 'Everything works', aside };
}

export function lineCount(count: number, verbs: { one: string; many: string }, formats: Formats): string {
  return formats.counted(count, `line of the contract ${verbs.one}`, `lines of the contract ${verbs.many}`);
}

export const doctorStore = createDoctorStore({ bridge: appBridge, copyText });
