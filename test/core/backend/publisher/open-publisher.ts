import { systemClock } from '#core/platform/clock.ts';
import type { Clock } from '#core/platform/clock.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { openBackendStore } from '#core/store/backend/index.ts';
import type { BackendStore } from '#core/store/backend/index.ts';
import type { BackendOptions } from '#core/backend/index.ts';
import { startBackend } from '../open-backend.ts';
import type { Answer, RunningBackend } from '../open-backend.ts';

/** The last day of the statistics in these tests. */
export const today = '2026-03-10';

/** A clock that is fixed to a day. */
export function clockOn(day: string): Clock & { moveTo(day: string): void } {
  let nowMs = Date.parse(`${day}T09:00:00Z`);
  return {
    ...systemClock,
    nowMs: () => nowMs,
    moveTo: (other) => void (nowMs = Date.parse(`${other}T09:00:00Z`)),
  };
}

/** The keys of the demo's publisher, and the buyer's key. */
export interface Keys {
  whole: string;
  xmlOnly: string;
  searchOnly: string;
  buyer: string;
}

/** A running service and a publisher who reads its reports. */
export interface RunningPublisher {
  service: RunningBackend;
  keys: Keys;
  /** Ids that the publisher owns. */
  tids: readonly number[];
  feeds: readonly number[];
  buyerTid: number;
  buyerFeed: number;
  /** Requests a path below the origin. The query is sent unchanged. */
  ask(path: string, headers?: Record<string, string>): Promise<Answer>;
  /**
   * Requests `/xml/stats` or `/publisher/search-report` with a valid query, changed by these parameters; null removes a
   * parameter.
   */
  report(kind: 'xml' | 'search', parameters?: Record<string, string | number | null>): Promise<Answer>;
  dispose(): Promise<void>;
}

/** Starts a service whose today is {@link today}, with 40 days of statistics. */
export async function startPublisher(options: Partial<BackendOptions> = {}): Promise<RunningPublisher> {
  const service = await startBackend({ campaigns: 3, days: 40, clock: clockOn(today), ...options });
  const { publisher, buyer } = service.credentials.accounts;
  const [whole, xmlOnly, searchOnly] = publisher.publisherKeys;
  const [own] = buyer.publisherKeys;
  if (!whole || !xmlOnly || !searchOnly || !own) throw new Error('Some keys are missing');
  const ask = async (path: string, headers: Record<string, string> = {}): Promise<Answer> => {
    const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : null };
  };
  return {
    service,
    keys: { whole: whole.key, xmlOnly: xmlOnly.key, searchOnly: searchOnly.key, buyer: own.key },
    tids: whole.tids,
    feeds: whole.feeds,
    buyerTid: own.tids[0] ?? 0,
    buyerFeed: own.feeds[0] ?? 0,
    ask,
    report(kind, parameters = {}) {
      const good = {
        token: whole.key,
        date_from: '2026-03-01',
        date_to: '2026-03-07',
        ...(kind === 'xml' ? { tid: whole.tids[0] ?? 0 } : {}),
      };
      const given = Object.entries({ ...good, ...parameters }).filter(([, value]) => value !== null);
      const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
      return ask(`${kind === 'xml' ? '/xml/stats' : '/publisher/search-report'}?${query.toString()}`);
    },
    dispose: () => service.dispose(),
  };
}

/** Calls the work with a second connection to the database of a running service. */
export async function besideIt<T>(service: RunningBackend, work: (store: BackendStore) => T): Promise<T> {
  const store = openBackendStore({ file: service.file, clock: systemClock, logger: silentLogger });
  try {
    return store.transaction(() => work(store));
  } finally {
    await store.dispose();
  }
}
