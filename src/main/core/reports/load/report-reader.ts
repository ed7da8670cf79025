import { createHash } from 'node:crypto';
import type { Clock } from '#core/platform/clock.ts';
import type { Profile } from '#core/profiles/index.ts';
import type { PublisherClient } from '#core/service-client/index.ts';
import type { ReportScope, SliceAddress } from '#core/store/report-cache.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { ReportWorker } from '../worker/report-worker-client.ts';
import { isStale, requestsFor, type SliceRequest } from './plan.ts';
import { createLimiter, startReading, type Reading, type ReadingOrder } from './reading.ts';

export interface ReportConnection {
  profile: Pick<Profile, 'id' | 'kind' | 'account' | 'zone'>;
  publisher: Pick<PublisherClient, 'open'>;
}

export interface ReportConnections {
  of(profileId: string): ReportConnection;
  current(): ReportConnection;
  publisherKeyOf(profileId: string): string | null;
}

export interface ReportAccess {
  connection: ReportConnection;
  profile: string;
  /** Hash of the publisher key. For Demo, whose key changes at every start, hash of the account. */
  keyHash: string;
  zone: string;
  today: string;
}

export interface WantedSlices {
  scope: ReportScope;
  slices: SliceAddress[];
}

export interface ReportReader {
  /** Fails with `credential_missing`, `secret_unreadable`, and as `Connections.of` does. */
  access(profileId: string): ReportAccess;
  /** Fails with `profile_changed` if the service or key was replaced. */
  assertUnchanged(access: ReportAccess): void;
  requests(access: ReportAccess, wanted: WantedSlices, read: 'missing' | 'all'): Promise<SliceRequest[]>;
  start(access: ReportAccess, reading: ReadingOrder, onProgress: () => void): Reading;
  onRead(listener: (scope: ReportScope) => void): () => void;
}

export interface ReportReaderOptions {
  worker: ReportWorker;
  connections: Pick<ReportConnections, 'of' | 'publisherKeyOf'>;
  clock: Clock;
  /** Returns the disk error that keeps Demo from starting; null if there is none. */
  demoStorageError(): AppError | null;
}

const maxConcurrentRequests = 3;

export function createReportReader({
  worker,
  connections,
  clock,
  demoStorageError: whyNoRoom,
}: ReportReaderOptions): ReportReader {
  const limiter = createLimiter(maxConcurrentRequests);
  const listeners = new Set<(scope: ReportScope) => void>();
  let lastAnswer = 0;

  function access(profileId: string): ReportAccess {
    const connection = connections.of(profileId);
    const { kind, account, zone } = connection.profile;
    const key = connections.publisherKeyOf(profileId);
    if (key === null) {
      throw new AppError('credential_missing', { message: 'This profile has no publisher key yet.' });
    }
    return {
      connection,
      profile: profileId,
      keyHash: hashKey(kind === 'demo' ? `demo ${account}` : key),
      zone,
      today: serviceDay(clock.nowMs(), zone).date,
    };
  }

  /** Demo creates its statistics at the first read, which fails on a full disk. Reports that cause. */
  function clientOf({ profile: { kind }, publisher }: ReportConnection): ReportConnection['publisher'] {
    if (kind !== 'demo') return publisher;
    return {
      async open(address, options) {
        try {
          return await publisher.open(address, options);
        } catch (failure) {
          const isNotReady = failure instanceof AppError && failure.code === 'service_unavailable';
          throw (isNotReady ? whyNoRoom() : null) ?? failure;
        }
      },
    };
  }

  return {
    access,
    assertUnchanged({ connection, profile, keyHash }) {
      const now = access(profile);
      if (now.connection !== connection || now.keyHash !== keyHash) throw new AppError('profile_changed');
    },
    async requests({ today }, { scope, slices }, read) {
      if (read === 'all') return requestsFor(slices);
      const times = await worker.ask('readTimes', { scope, slices });
      const nowMs = clock.nowMs();
      const timeOf = new Map(slices.map((slice, index) => [slice, times[index] ?? null]));
      const isOld = (slice: SliceAddress): boolean => {
        const readAtMs = timeOf.get(slice) ?? null;
        return readAtMs !== null && isStale(slice, readAtMs, { today, nowMs });
      };
      const missing = slices.filter((slice) => (timeOf.get(slice) ?? null) === null);
      return [...requestsFor(missing), ...requestsFor(slices.filter(isOld))];
    },
    start({ connection, profile }, order, onProgress) {
      const forgotten = worker.forgotten(profile);
      const reading = startReading(order, {
        worker,
        client: clientOf(connection),
        limiter,
        nextAnswerId: () => (lastAnswer += 1),
        nowMs: () => clock.nowMs(),
        isCurrent: () => worker.forgotten(profile) === forgotten,
        onProgress,
      });
      void reading.ended.then(() => {
        for (const listener of listeners) listener(order.scope);
      });
      return reading;
    },
    onRead(listener) {
      const own = (scope: ReportScope): void => listener(scope);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}

function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
