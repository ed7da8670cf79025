import { appBridge } from '#renderer/api/app-bridge.ts';
import { copyText, newFile, type NewFile } from '#renderer/api/host-services.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type {
  AppInput,
  Mark,
  MarkFigures,
  MarkSign,
  MarkTarget,
  ReportQuery,
  ReportView,
} from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { type CsvCell, csvLine } from '#shared/lib/csv.ts';
import {
  columnLabel,
  dimensionLabel,
  exactText,
  metricValue,
  reportLabels,
  reportMetrics,
  valueLines,
  type ValueLines,
} from '#shared/reports/index.ts';
import { createSerialQueue } from '#shared/lib/serial-queue.ts';
import { type Acting, asFailure, createAct, followEvent, readAgain } from '#renderer/stores/follow-core.ts';
import { writeFile } from '#renderer/stores/file-run.ts';

type MarksNotice =
  | ({ kind: 'copied' } & Pick<ValueLines, 'lines' | 'skipped'>)
  | { kind: 'exported'; name: string; marks: number };

interface MarksState extends Acting<'set' | 'remove' | 'copy' | 'export'> {
  items: readonly Mark[] | null;
  failure: AppError | null;
  now: FiguresNow;
  sign: MarkSign | null;
  notice: MarksNotice | null;
  show: (sign: MarkSign | null) => void;
  set: (input: AppInput<'reports.marks.set'>) => Promise<boolean>;
  remove: (ids: readonly string[]) => Promise<boolean>;
  copyLines: (marks: readonly Mark[]) => Promise<void>;
  exportCsv: (marks: readonly Mark[]) => Promise<void>;
  dismiss: () => void;
  start: () => () => void;
  startFigures: () => () => void;
}

interface MarksStoreParts {
  bridge: AppBridge;
  copyText(text: string): Promise<void>;
  newFile(name: string): Promise<NewFile | null>;
}

const maxIdsPerRequest = 100;

export function createMarksStore({ bridge, copyText, newFile }: MarksStoreParts): StoreApi<MarksState> {
  return createStore<MarksState>((set, get) => {
    const actAlone = createAct(get, set);
    const inTurn = createSerialQueue();
    const act: typeof actAlone = (doing, ask) => inTurn(() => actAlone(doing, ask));

    async function read(): Promise<void> {
      const answer = await quiet(() => bridge.call('reports.marks.list', {}));
      if (answer !== null) set({ items: answer.items, failure: null });
    }

    async function readNow(): Promise<void> {
      await read();
      const ids = (get().items ?? []).map(({ id }) => id);
      const found: Record<string, MarkFigures | null> = {};
      for (let at = 0; at < ids.length; at += maxIdsPerRequest) {
        const part = ids.slice(at, at + maxIdsPerRequest);
        const answer = await quiet(() => bridge.call('reports.marks.now', { ids: part }));
        for (const { id, figures } of answer?.items ?? []) found[id] = figures;
      }
      set({ now: found });
    }

    async function quiet<T>(ask: () => Promise<T>): Promise<T | null> {
      try {
        return await ask();
      } catch (error) {
        set({ failure: asFailure(error) });
        return null;
      }
    }

    async function write(marks: readonly Mark[]): Promise<{ notice: MarksNotice | null }> {
      const file = await newFile('countersign-marks.csv');
      if (file === null) return { notice: null };
      await writeFile(file, async () => {
        await file.add(marksFile(marks, get().now));
        return true;
      });
      return { notice: { kind: 'exported', name: file.name, marks: marks.length } };
    }

    return {
      items: null,
      failure: null,
      now: {},
      sign: null,
      notice: null,
      doing: null,
      refusal: null,
      show: (sign) => set({ sign }),
      set: async (input) => (await act('set', () => bridge.call('reports.marks.set', input))) !== null,
      async remove(ids) {
        const done = await act('remove', async () => ({
          done: await bridge.call('reports.marks.remove', { ids: [...ids] }),
        }));
        if (done !== null) await read();
        return done !== null;
      },
      async copyLines(marks) {
        const { text, lines, skipped } = valueLines(marks.map(({ value }) => value));
        const copied = await act('copy', async () => ({ done: await copyText(text) }));
        if (copied !== null) set({ notice: { kind: 'copied', lines, skipped } });
      },
      async exportCsv(marks) {
        const written = await act('export', () => write(marks));
        if (written !== null) set(written);
      },
      dismiss: () => set({ notice: null, refusal: null }),
      start: () => followEvent(bridge, 'reports.changed', readAgain(read)),
      startFigures: () => followEvent(bridge, 'reports.changed', readAgain(readNow)),
    };
  });
}

export function markOf(items: readonly Mark[] | null, target: MarkTarget): Mark | undefined {
  const key = targetKey(target);
  return items?.find((mark) => targetKey(mark) === key);
}

export function targetKey({ source, dimension, value }: MarkTarget): string {
  return JSON.stringify([source, dimension, value]);
}

const maxDecimals = 9;

type FiguresNow = Readonly<Record<string, MarkFigures | null>>;

function marksFile(marks: readonly Mark[], now: FiguresNow): string {
  const kinds = [...new Set(marks.map(({ source }) => source.kind))];
  const metrics = [...new Set(kinds.flatMap((kind) => reportMetrics[kind].map(({ id }) => id)))];
  const figureHeads = (when: string): string[] => [
    `${when} from`,
    `${when} to`,
    `${when} complete`,
    ...metrics.map((id) => `${columnLabel({ id, label: null })} ${when.toLowerCase()}`),
  ];
  const heads = ['Report', 'Source', 'Dimension', 'Value', 'Mark', 'Note', 'Marked at'];
  const lines = marks.map((mark) => [
    ...textCells([
      reportLabels[mark.source.kind],
      sourceText(mark),
      dimensionLabel(mark.dimension),
      mark.value ?? '',
      mark.sign,
      mark.note,
      new Date(mark.markedAtMs).toISOString(),
    ]),
    ...figureCells(mark, mark.figuresThen, metrics),
    ...figureCells(mark, now[mark.id] ?? null, metrics),
  ]);
  return [textCells([...heads, ...figureHeads('Then'), ...figureHeads('Now')]), ...lines]
    .map(csvLine)
    .join('');
}

function sourceText({ source }: Mark): string {
  return String(source.kind === 'xml' ? source.tid : (source.sid ?? 'all'));
}

function textCells(texts: readonly string[]): CsvCell[] {
  return texts.map((text) => ({ kind: 'text', text }));
}

function figureCells({ source }: Mark, figures: MarkFigures | null, metrics: readonly string[]): CsvCell[] {
  const { range, complete } = figures ?? { range: null, complete: null };
  const head = [range?.from ?? '', range?.to ?? '', complete === null ? '' : complete ? 'yes' : 'no'];
  const values = metrics.map((id): CsvCell => {
    const value = figures && metricValue(source.kind, id, figures.sums);
    return { kind: 'number', text: value === null ? '' : exactText(value, maxDecimals) };
  });
  return [...textCells(head), ...values];
}

export const marksStore = createMarksStore({ bridge: appBridge, copyText, newFile });

interface ViewDoing {
  kind: 'save' | 'overwrite' | 'rename' | 'remove' | 'reorder' | 'start';
  id: string | null;
}

interface ViewsState extends Acting<ViewDoing> {
  items: readonly ReportView[] | null;
  failure: AppError | null;
  save: (name: string, query: ReportQuery) => Promise<boolean>;
  overwrite: (id: string, query: ReportQuery) => Promise<boolean>;
  rename: (id: string, name: string) => Promise<boolean>;
  remove: (id: string) => Promise<boolean>;
  move: (id: string, by: -1 | 1) => Promise<boolean>;
  setStart: (id: string | null) => Promise<boolean>;
  dismiss: () => void;
  startQuery: () => Promise<ReportQuery | null>;
  start: () => () => void;
}

function createViewsStore(bridge: AppBridge): StoreApi<ViewsState> {
  return createStore<ViewsState>((set, get) => {
    const act = createAct(get, set);

    async function read(): Promise<void> {
      try {
        const { items } = await bridge.call('reports.views.list', {});
        set({ items, failure: null });
      } catch (error) {
        set({ failure: asFailure(error) });
      }
    }

    /** Reads again at once, so that the list shows the change before the next event. */
    async function attempt(doing: ViewDoing, ask: () => Promise<unknown>): Promise<boolean> {
      const done = await act(doing, async () => ({ answer: await ask() }));
      if (done !== null) await read();
      return done !== null;
    }

    return {
      items: null,
      failure: null,
      doing: null,
      refusal: null,
      save: (name, query) =>
        attempt({ kind: 'save', id: null }, () => bridge.call('reports.views.save', { name, query })),
      overwrite: (id, query) =>
        attempt({ kind: 'overwrite', id }, () => bridge.call('reports.views.overwrite', { id, query })),
      rename: (id, name) =>
        attempt({ kind: 'rename', id }, () => bridge.call('reports.views.rename', { id, name })),
      remove: (id) => attempt({ kind: 'remove', id }, () => bridge.call('reports.views.remove', { id })),
      async move(id, by) {
        const ids = (get().items ?? []).map((view) => view.id);
        const from = ids.indexOf(id);
        const to = from + by;
        if (from < 0 || to < 0 || to >= ids.length) return false;
        const order = ids.toSpliced(from, 1).toSpliced(to, 0, id);
        return attempt({ kind: 'reorder', id }, () => bridge.call('reports.views.reorder', { ids: order }));
      },
      setStart: (id) => attempt({ kind: 'start', id }, () => bridge.call('reports.views.setStart', { id })),
      dismiss: () => set({ refusal: null }),
      async startQuery() {
        if (get().items === null) await read();
        return get().items?.find((view) => view.start)?.query ?? null;
      },
      start: () => followEvent(bridge, 'reports.changed', readAgain(read)),
    };
  });
}

export const viewsStore = createViewsStore(appBridge);
