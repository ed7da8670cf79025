import { appBridge } from '#renderer/api/app-bridge.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import { newFile, type NewFile } from '#renderer/api/host-services.ts';
import type { CheckedResult, FaultProgress } from '#shared/app-api/index.ts';
import type { FaultKind } from '#shared/training/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Acting, createAct } from '#renderer/stores/follow-core.ts';
import { readable, writeFile } from '#renderer/stores/file-run.ts';

export interface ResultsState extends Acting<'save' | 'check'> {
  checked: readonly CheckedResult[];
  saved: string | null;
  save: () => Promise<void>;
  open: (files: readonly File[]) => Promise<void>;
  clear: () => void;
  dismiss: () => void;
}

/** Must equal the limit of the core for one text. */
const maxCharacters = 2_000_000;

export function createResultsStore(
  bridge: AppBridge,
  newFile: (name: string) => Promise<NewFile | null>,
): StoreApi<ResultsState> {
  return createStore<ResultsState>((set, get) => {
    const act = createAct<'save' | 'check'>(get, set);
    return {
      checked: [],
      saved: null,
      doing: null,
      refusal: null,
      async save() {
        set({ saved: null });
        await act('save', async () => {
          const { fileName, text } = await bridge.call('training.resultFile', {});
          const file = await newFile(fileName);
          if (file === null) return {};
          await writeFile(file, async () => {
            await file.add(text);
            return true;
          });
          set({ saved: file.name });
          return {};
        });
      },
      async open(files) {
        const answer = await act('check', async () => {
          const texts = files.map(async (file) => ({
            fileName: file.name.slice(0, 255),
            text: file.size > maxCharacters ? '' : await readable(file.text()),
          }));
          return bridge.call('training.checkResults', { files: await Promise.all(texts) });
        });
        if (answer === null) return;
        const ids = new Set(answer.results.map(resultId));
        const others = get().checked.filter((result) => !ids.has(resultId(result)));
        set({ checked: [...others, ...answer.results] });
      },
      clear: () => set({ checked: [], refusal: null }),
      dismiss: () => set({ refusal: null }),
    };
  });
}

/** People of one name differ by their key. A refused file is identified by its file name. */
export function resultId({ fileName, result }: CheckedResult): string {
  return result.kind === 'intact' ? `${result.keyFingerprint} ${result.name}` : `refused ${fileName}`;
}

export type Mastery = 'not-met' | 'unreliable' | 'reliable';

export function masteryOf({ met, isReliable }: Pick<FaultProgress, 'met' | 'isReliable'>): Mastery {
  if (met === 0) return 'not-met';
  return isReliable ? 'reliable' : 'unreliable';
}

export interface OverviewRow {
  id: string;
  fileName: string;
  name: string;
  keyFingerprint: string;
  savedAtMs: number;
  attempts: number;
  good: { decided: number; stopped: number };
  kinds: ReadonlyMap<FaultKind, { mastery: Mastery; met: number; caught: number }>;
}

export function overviewOf(checked: readonly CheckedResult[]): OverviewRow[] {
  const rows = checked.flatMap((one) => {
    const { fileName, result } = one;
    if (result.kind !== 'intact') return [];
    const { name, keyFingerprint, savedAtMs, attempts, progress } = result;
    const kinds = new Map(
      progress.map((fault) => {
        const { kind, met, caught } = fault;
        return [kind, { mastery: masteryOf(fault), met, caught }] as const;
      }),
    );
    const stopped = attempts.reduce((sum, { score }) => sum + score.falseAlarms, 0);
    const decided = attempts.reduce((sum, { score }) => sum + score.fine, stopped);
    const good = { decided, stopped };
    const id = resultId(one);
    return [{ id, fileName, name, keyFingerprint, savedAtMs, attempts: attempts.length, good, kinds }];
  });
  return rows.toSorted((one, other) => one.name.localeCompare(other.name));
}

export const resultsStore = createResultsStore(appBridge, newFile);
