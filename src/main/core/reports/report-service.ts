import { createHash } from 'node:crypto';
import type { Connection, Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { SliceAddress } from '#core/store/reports/index.ts';
import type { AppInput, AppOutput } from '#shared/app-api/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isStale, planDrill, planReport, requestsFor, type ReportPlan } from './load/plan.ts';
import { createLimiter, noReading, startReading, type Reading, type ReadingState } from './load/reading.ts';
import { createServiceFiles, type ServiceFiles } from './service-file.ts';
import type { ReportWorker } from './worker/report-worker-client.ts';

export interface ReportServiceOptions {
  worker: ReportWorker;
  connections: Pick<Connections, 'current' | 'of' | 'publisherKeyOf'>;
  /** Sources of the Demo publisher. */
  demoSources(): { tids: number[]; sids: number[] };
  clock: Clock;
  ids: Pick<Ids, 'id'>;
  /** What pages show of reports has changed; at most ten times a second. */
  onChange(): void;
}

/** The reports of the active profile (`reports.*` of the app API, failures included). */
export interface ReportService extends AsyncDisposable, ServiceFiles {
  page(input: AppInput<'reports.page'>): Promise<AppOutput<'reports.page'>>;
  drill(input: AppInput<'reports.drill'>): Promise<AppOutput<'reports.drill'>>;
  cancel(): null;
  sources(): Promise<AppOutput<'reports.sources'>>;
}

/** The active profile, and what opens its reports. */
export interface ReportAccess {
  connection: Connection;
  profile: string;
  keyHash: string;
  zone: string;
  today: string;
}

/** A reading, or how the last one of this question ended. */
interface Shown {
  question: string;
  reading: Reading;
}

/** Requests to one service at once. */
const maxRequestsAtOnce = 3;
/** The shortest time between two events, in milliseconds. */
const eventEveryMs = 100;

export function createReportService(options: ReportServiceOptions): ReportService {
  const { worker, connections, clock } = options;
  const changed = createCoalesced(options.onChange, clock);
  const limiter = createLimiter(maxRequestsAtOnce);
  /** What a page looks at, and its drill-down: one reading each. */
  const shown: Record<'page' | 'drill', Shown | null> = { page: null, drill: null };
  let lastAnswer = 0;

  function access(): ReportAccess {
    const connection = connections.current();
    const { id, kind, account, zone } = connection.profile;
    const key = connections.publisherKeyOf(id);
    if (key === null) {
      throw new AppError('credential_missing', { message: 'This profile has no publisher key yet.' });
    }
    // Demo hands out another key at every start; its rows are the same account's.
    const keyHash = hashOf(kind === 'demo' ? `demo ${account}` : key);
    return { connection, profile: id, keyHash, zone, today: serviceDay(clock.nowMs(), zone).date };
  }

  /** Fails with `profile_changed` where the answer would be another profile's, or another key's. */
  function assertActive({ connection, keyHash }: ReportAccess): void {
    const now = access();
    if (now.connection !== connection || now.keyHash !== keyHash) throw new AppError('profile_changed');
  }

  function end(of: 'page' | 'drill'): void {
    shown[of]?.reading.cancel();
    shown[of] = null;
  }

  /** Begins to read what is missing or old; joins a reading that is under way for it already. */
  async function begin(
    of: 'page' | 'drill',
    { scope, slices }: Pick<ReportPlan, 'scope' | 'slices'>,
    { read, at }: { read: 'missing' | 'all'; at: ReportAccess },
  ): Promise<void> {
    const forgotten = worker.forgotten(at.profile);
    const times = read === 'all' ? [] : await worker.ask('readTimes', { scope, slices });
    assertActive(at);
    const age = { today: at.today, nowMs: clock.nowMs() };
    const missing = slices.filter((_, index) => (times[index] ?? null) === null);
    const stale = slices.filter((slice, index) => {
      const readAtMs = times[index] ?? null;
      return readAtMs !== null && isStale(slice, readAtMs, age);
    });
    const wanted = [...missing, ...stale];
    if (isUnderWay(shown[of], scope, wanted)) return;
    end(of);
    if (wanted.length === 0) return;
    const reading = startReading(
      { scope, requests: [...requestsFor(missing), ...requestsFor(stale)] },
      {
        worker,
        client: at.connection.publisher,
        limiter,
        nextAnswer: () => (lastAnswer += 1),
        nowMs: () => clock.nowMs(),
        isWanted: () => worker.forgotten(at.profile) === forgotten,
        onProgress: changed.tell,
      },
    );
    shown[of] = { question: questionOf({ scope, slices }), reading };
  }

  function stateOf(of: 'page' | 'drill', plan: Pick<ReportPlan, 'scope' | 'slices'>): ReadingState {
    const found = shown[of];
    return found === null || found.question !== questionOf(plan) ? noReading : found.reading.state();
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
      if (read !== 'none') await begin('page', plan, { read, at });
      const { scope, rows, series, days, query } = plan;
      const question = { ...days, query, expanded, offset, limit };
      const { readAtMs, partial, ...part } = await worker.ask('page', { scope, rows, series, question });
      assertActive(at);
      return {
        range: days.range,
        counted: plan.counted,
        compared: days.compared,
        incompleteDay: days.incompleteDay,
        zone: at.zone,
        ...part,
        state: { ...stateOf('page', plan), readAtMs, partial },
      };
    },
    async drill({ query: asked, drill, read }) {
      const at = access();
      const plan = planReport(asked, at);
      const { scope, query } = plan;
      const { slices, cut } = planDrill(plan, { ...drill, today: at.today });
      if (read) await begin('drill', { scope, slices }, { read: 'missing', at });
      const question = { ...drill, query };
      const { readAtMs, partial, ...part } = await worker.ask('drill', { scope, slices, question });
      assertActive(at);
      const state = stateOf('drill', { scope, slices });
      return { ...part, state: { ...state, readAtMs, partial: partial || cut } };
    },
    cancel() {
      for (const of of ['page', 'drill'] as const) shown[of]?.reading.cancel();
      changed.tell();
      return null;
    },
    async sources() {
      const { profile } = connections.current();
      if (profile.kind === 'demo') return { ...options.demoSources(), publisherKey: true };
      if (connections.publisherKeyOf(profile.id) === null) return { tids: [], sids: [], publisherKey: false };
      const at = access();
      const found = await worker.ask('sources', { profile: at.profile, keyHash: at.keyHash });
      assertActive(at);
      return { ...found, publisherKey: true };
    },
    async dispose() {
      const ending = Object.values(shown).map((each) => each?.reading.ended);
      end('page');
      end('drill');
      closeFile();
      changed.end();
      await Promise.all(ending);
    },
  };
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function questionOf({ scope, slices }: { scope: object; slices: readonly SliceAddress[] }): string {
  return JSON.stringify([scope, slices]);
}

function isUnderWay(found: Shown | null, scope: object, wanted: readonly SliceAddress[]): boolean {
  if (found === null || found.reading.state().state !== 'reading') return false;
  return JSON.stringify(found.reading.scope) === JSON.stringify(scope) && found.reading.fills(wanted);
}

/** Calls at once, and then again after a while where it was asked for meanwhile. */
function createCoalesced(call: () => void, clock: Clock): { tell(): void; end(): void } {
  let waits = false;
  let isAsked = false;
  let isEnded = false;
  function tell(): void {
    isAsked = true;
    if (waits || isEnded) return;
    isAsked = false;
    waits = true;
    clock.after(eventEveryMs, () => {
      waits = false;
      if (isAsked) tell();
    });
    call();
  }
  return { tell, end: () => void (isEnded = true) };
}
