import type { ToolPins } from '#core/agents/index.ts';
import type { Connection, Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import type { RemoteClient } from '#core/service-client/index.ts';
import type { PromptDefinition, ResourceDefinition, ResourceTemplate } from '#core/mcp-server/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

interface MirrorOptions {
  connections: Pick<Connections, 'of' | 'remoteOf'>;
  pins: Pick<ToolPins, 'compare'>;
  clock: Clock;
  logger: Logger;
  onListsChanged(profileId: string): void;
}

interface Mirrored {
  connection: Connection;
  reader: ReturnType<typeof createListReader>;
}

/**
 * Caches the latest lists of each profile's service, for times when the service does not answer. Reads nothing before an agent
 * connects.
 */
export function createMirror({ connections, pins, clock, logger, onListsChanged }: MirrorOptions) {
  const mirrored = new Map<string, Mirrored>();
  const listsOf = new Map<string, Lists>();

  const lists = (profileId: string): Lists => listsOf.get(profileId) ?? noLists;

  function take(profileId: string, { tools, others }: ReadLists): void {
    const before = lists(profileId);
    const now = { ...before, ...others };
    listsOf.set(profileId, now);
    const areOthers = JSON.stringify(before) !== JSON.stringify(now);
    if (pins.compare(profileId, tools) || areOthers) onListsChanged(profileId);
  }

  /** The reader for the current connection, because a profile gets a new connection when it is edited or signs in again. */
  function readerOf(profileId: string): Mirrored['reader'] {
    const found = mirrored.get(profileId);
    if (found?.connection.remote === connections.remoteOf(profileId)) return found.reader;
    const connection = connections.of(profileId);
    found?.reader.end();
    // Lists of one service must not be shown as those of another.
    if (found !== undefined && addressOf(found.connection) !== addressOf(connection))
      listsOf.delete(profileId);
    const { remote } = connection;
    const reader = createListReader({ remote, clock, logger, take: (read) => take(profileId, read) });
    mirrored.set(profileId, { connection, reader });
    return reader;
  }

  return {
    /** Resolves when the lists of this profile are read, or after a time limit. Never fails. */
    async ready(profileId: string): Promise<void> {
      try {
        await readerOf(profileId).ready();
      } catch (failure) {
        // The profile was deleted, and its agents were ended.
        if (!(failure instanceof AppError)) throw failure;
      }
    },
    lists,
    completesAny: () => [...listsOf.values()].some(({ completes }) => completes),
    end(): void {
      for (const { reader } of mirrored.values()) reader.end();
      mirrored.clear();
    },
  };
}

function addressOf({ profile }: Connection): string {
  return profile.addresses.mcpUrl;
}

interface Lists {
  resources: readonly ResourceDefinition[];
  templates: readonly ResourceTemplate[];
  prompts: readonly PromptDefinition[];
  completes: boolean;
}

/** Lists that could not be read are missing. */
interface ReadLists {
  tools: readonly JsonObject[];
  others: Partial<Lists>;
}

const noLists: Lists = { resources: [], templates: [], prompts: [], completes: false };

interface ListReaderOptions {
  remote: RemoteClient;
  clock: Clock;
  logger: Logger;
  take(lists: ReadLists): void;
}

const deadlineMs = 5_000;
const staleAfterMs = 5 * 60_000;
/** Waits before a read, so that several changes that a service reports at once cause one read. */
const gatherMs = 100;
/** Minimum time between reads, so that frequent reports of changes cause few reads. */
const spacingMs = 2_000;
const firstRetryMs = 5_000;
const maxRetryMs = 60_000;

/** Listens for changes at once, but reads nothing before `ready` is called. */
function createListReader(options: ListReaderOptions) {
  const { remote, clock, take } = options;
  let reading: Promise<void> | null = null;
  let startedAtMs = Number.NEGATIVE_INFINITY;
  let readAtMs: number | null = null;
  let failures = 0;
  let isOutdated = false;
  let isEnded = false;
  let cancelTimer = (): void => {};
  const endListening = remote.onListChanged(() => {
    isOutdated = true;
    if (reading === null) readIn(gatherMs);
  });

  function readIn(delayMs: number): void {
    cancelTimer();
    const earliestMs = startedAtMs + spacingMs - clock.monotonicMs();
    cancelTimer = clock.after(Math.max(delayMs, earliestMs), () => void read());
  }

  function read(): Promise<void> {
    reading ??= readNow().finally(() => {
      reading = null;
      if (isEnded) return;
      if (failures > 0) readIn(Math.min(firstRetryMs * 2 ** (failures - 1), maxRetryMs));
      else if (isOutdated) readIn(gatherMs);
    });
    return reading;
  }

  async function readNow(): Promise<void> {
    cancelTimer();
    isOutdated = false;
    startedAtMs = clock.monotonicMs();
    try {
      const lists = await readLists(remote);
      if (isEnded) return;
      take(lists);
      readAtMs = clock.monotonicMs();
      failures = 0;
    } catch (failure) {
      failures += 1;
      if (isEnded) return;
      if (isOver(failure)) end();
      else if (failures === 1) report(failure, options.logger);
    }
  }

  function end(): void {
    isEnded = true;
    cancelTimer();
    endListening();
  }

  return {
    /** Resolves when the lists have been read once, or after a time limit. Never fails. */
    async ready(): Promise<void> {
      const nowMs = clock.monotonicMs();
      if (readAtMs !== null) {
        if (nowMs - readAtMs > staleAfterMs) void read();
        return;
      }
      if (failures === 0) void read();
      if (reading === null) return;
      await within(reading, { clock, ms: startedAtMs + deadlineMs - nowMs });
    },
    end,
  };
}

/** True if the connection was closed: its profile has a new connection or was deleted. */
function isOver(failure: unknown): boolean {
  return failure instanceof AppError && failure.code === 'call_cancelled';
}

function report(failure: unknown, logger: Logger): void {
  if (failure instanceof AppError)
    logger.info({ code: failure.code }, 'The lists of a service were not read');
  else logger.error({ err: failure }, 'The lists of a service could not be taken');
}

async function within(work: Promise<void>, { clock, ms }: { clock: Clock; ms: number }): Promise<void> {
  if (ms <= 0) return;
  const late = Promise.withResolvers<void>();
  const cancel = clock.after(ms, late.resolve);
  await Promise.race([work, late.promise]);
  cancel();
}

/** Fails if the tools cannot be read. Other lists are optional. Entries without a name or address are dropped. */
async function readLists(remote: RemoteClient): Promise<ReadLists> {
  const [tools, resources, templates, prompts, completes] = await Promise.all([
    remote.listTools(),
    readNamed<ResourceDefinition>(remote.listResources(), 'uri'),
    readNamed<ResourceTemplate>(remote.listResourceTemplates(), 'uriTemplate'),
    readNamed<PromptDefinition>(remote.listPrompts(), 'name'),
    readOr(remote.supportsCompletion()),
  ]);
  return {
    tools,
    others: {
      ...(resources && { resources }),
      ...(templates && { templates }),
      ...(prompts && { prompts }),
      ...(completes === null ? {} : { completes }),
    },
  };
}

async function readOr<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch(() => null);
}

async function readNamed<T>(reading: Promise<JsonObject[]>, member: string): Promise<T[] | null> {
  const entries = await readOr(reading);
  return (entries?.filter((entry) => typeof entry[member] === 'string') as T[] | undefined) ?? null;
}
