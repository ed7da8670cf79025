import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { AppInput, AppOutput } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { planDrill, planReport, type SliceRequest } from './load/plan.ts';
import { noReading, type Reading, type ReadingState } from './load/reading.ts';
import type { ReportAccess, ReportConnections, ReportReader, WantedSlices } from './load/report-reader.ts';
import { createServiceFiles, type ServiceFiles } from './service-file.ts';
import type { ReportWorker } from './worker/report-worker-client.ts';

export interface ReportServiceOptions {
  worker: ReportWorker;
  reader: ReportReader;
  connections: Pick<ReportConnections, 'current' | 'publisherKeyOf'>;
  demoSources(): { tids: number[]; sids: number[] };
  clock: Clock;
  ids: Pick<Ids, 'id'>;
  /** Called at most ten times a second. */
  onChange(): void;
}

/** `reports.*` of the app API for the active profile. */
export interface ReportService extends AsyncDisposable, ServiceFiles {
  page(input: AppInput<'reports.page'>): Promise<AppOutput<'reports.page'>>;
  drill(input: AppInput<'reports.drill'>): Promise<AppOutput<'reports.drill'>>;
  cancel(input: AppInput<'reports.cancel'>): null;
  sources(): Promise<AppOutput<'reports.sources'>>;
}

const minEventIntervalMs = 100;

export function createReportService(options: ReportServiceOptions): ReportService {
  const { worker, reader, connections, clock } = options;
  const changeNotifier = createThrottledCall(options.onChange, clock);
  const page = createReadingTracker(reader, changeNotifier.report);
  const drill = createReadingTracker(reader, changeNotifier.report);

  const access = (): ReportAccess => reader.access(connections.current().profile.id);

  function assertActive(at: ReportAccess): void {
    if (connections.current().profile.id !== at.profile) throw new AppError('profile_changed');
    reader.assertUnchanged(at);
  }

  const { closeFile, ...files } = createServiceFiles({
    access,
    assertActive,
    newId: () => options.ids.id(),
    clock,
  });

  return {
    ...files,
    async page({ query: asked, expanded, offset, limit, read }) {
      const at = access();
      const plan = planReport(asked, at);
      if (read !== 'none') {
        const requests = await reader.requests(at, plan, read);
        assertActive(at);
        page.begin(at, plan, requests);
      }
      const { scope, rows, series, days, query } = plan;
      const question = { ...days, query, expanded, offset, limit };
      const { version, readAtMs, partial, ...part } = await worker.ask('page', {
        scope,
        rows,
        series,
        question,
      });
      assertActive(at);
      return {
        range: days.range,
        counted: plan.countedRange,
        compared: days.compared,
        incompleteDay: days.incompleteDay,
        zone: at.zone,
        ...part,
        // Totals change at midnight, even without a reading.
        version: `${version} ${days.incompleteDay}`,
        state: { ...page.stateOf(plan), readAtMs, partial },
      };
    },
    async drill({ query: asked, drill: { of, by }, read }) {
      const at = access();
      const plan = planReport(asked, at);
      const { slices, newestDays } = planDrill(plan, { of, by });
      const wanted = { scope: plan.scope, slices };
      if (read) {
        const requests = await reader.requests(at, wanted, 'missing');
        assertActive(at);
        drill.begin(at, wanted, requests);
      }
      const question = { query: plan.query, of, by };
      const { readAtMs, partial, ...part } = await worker.ask('drill', { ...wanted, question });
      assertActive(at);
      return { ...part, newestDays, state: { ...drill.stateOf(wanted), readAtMs, partial } };
    },
    cancel({ reading }) {
      (reading === 'page' ? page : drill).cancel();
      changeNotifier.report();
      return null;
    },
    async sources() {
      const { id, kind } = connections.current().profile;
      if (kind === 'demo') return { ...options.demoSources(), publisherKey: true };
      if (connections.publisherKeyOf(id) === null) return { tids: [], sids: [], publisherKey: false };
      const at = access();
      const found = await worker.ask('sources', { profile: at.profile, keyHash: at.keyHash });
      assertActive(at);
      return { ...found, publisherKey: true };
    },
    async dispose() {
      closeFile();
      changeNotifier.end();
      await Promise.all([page.end(), drill.end()]);
    },
  };
}

interface ReadingTracker {
  begin(at: ReportAccess, wanted: WantedSlices, requests: readonly SliceRequest[]): void;
  stateOf(wanted: WantedSlices): ReadingState;
  cancel(): void;
  end(): Promise<void>;
}

function createReadingTracker(reader: ReportReader, onProgress: () => void): ReadingTracker {
  let shown: { question: string; reading: Reading } | null = null;
  const questionOf = ({ scope, slices }: WantedSlices): string => JSON.stringify([scope, slices]);

  function isAlreadyReading(wanted: WantedSlices, requests: readonly SliceRequest[]): boolean {
    if (shown === null || shown.reading.state().state !== 'reading') return false;
    if (shown.question === questionOf(wanted)) return true;
    const hasSameScope = JSON.stringify(shown.reading.scope) === JSON.stringify(wanted.scope);
    return (
      hasSameScope && requests.length > 0 && shown.reading.covers(requests.flatMap(({ slices }) => slices))
    );
  }

  return {
    begin(at, wanted, requests) {
      const question = questionOf(wanted);
      if (shown !== null && isAlreadyReading(wanted, requests)) {
        shown.question = question;
        return;
      }
      shown?.reading.cancel();
      shown = null;
      if (requests.length === 0) return;
      shown = { question, reading: reader.start(at, { scope: wanted.scope, requests }, onProgress) };
    },
    stateOf: (wanted) => (shown?.question === questionOf(wanted) ? shown.reading.state() : noReading),
    cancel: () => shown?.reading.cancel(),
    async end() {
      shown?.reading.cancel();
      await shown?.reading.ended;
    },
  };
}

/** A throttle: calls immediately, then at most once per interval. */
function createThrottledCall(call: () => void, clock: Clock): { report(): void; end(): void } {
  let isPaused = false;
  let hasPendingReport = false;
  let isEnded = false;
  function report(): void {
    hasPendingReport = true;
    if (isPaused || isEnded) return;
    hasPendingReport = false;
    isPaused = true;
    clock.after(minEventIntervalMs, () => {
      isPaused = false;
      if (hasPendingReport) report();
    });
    call();
  }
  return { report, end: () => void (isEnded = true) };
}
