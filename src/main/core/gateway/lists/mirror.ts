import type { ToolPins } from '#core/agents/index.ts';
import type { Connection, Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import type { RemoteClient } from '#core/service-client/index.ts';
import type { PromptDefinition, ResourceDefinition, ResourceTemplate } from '#core/mcp-server/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

interface MirrorOptions {
  connections: Pick<Connections, 'of'>;
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
 * The lists of the profiles' services as they were last read, which stand in for a service that does not answer. Nothing is read
 * before an agent connects.
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

  /** The reader of the connection of now: a profile that was edited or signed in anew has another one. */
  function readerOf(profileId: string): Mirrored['reader'] {
    const connection = connections.of(profileId);
    const found = mirrored.get(profileId);
    if (found?.connection === connection) return found.reader;
    found?.reader.end();
    // The lists of another service must not stand in for this one's.
    if (found !== undefined && addressOf(found.connection) !== addressOf(connection))
      listsOf.delete(profileId);
    const { remote } = connection;
    const reader = createListReader({ remote, clock, logger, take: (read) => take(profileId, read) });
    mirrored.set(profileId, { connection, reader });
    return reader;
  }

  return {
    /** Resolves when the lists of this profile are there, or when waiting is of no use. Never fails. */
    async ready(profileId: string): Promise<void> {
      try {
        await readerOf(profileId).ready();
      } catch (failure) {
        // The profile is gone, and its agents with it.
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

/** The lists of a service besides its tools, complete. */
interface Lists {
  resources: readonly ResourceDefinition[];
  templates: readonly ResourceTemplate[];
  prompts: readonly PromptDefinition[];
  /** True if it completes arguments of prompts and templates. */
  completes: boolean;
}

/** The lists that were read; one that could not be read is missing. */
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

/** The longest wait for the first reading, in milliseconds, counted from its start for all callers. */
const deadlineMs = 5_000;
/** Older lists are read again at the next request. */
const staleAfterMs = 5 * 60_000;
/** Groups changes of several lists that a service reports at once; they are read together. */
const gatherMs = 100;
/** However often a service says that its lists are others, they are read no more often than this. */
const spacingMs = 2_000;
const firstRetryMs = 5_000;
const longestRetryMs = 60_000;

/** Begins to listen for changes; nothing is read before `ready` is called. */
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
      if (failures > 0) readIn(Math.min(firstRetryMs * 2 ** (failures - 1), longestRetryMs));
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
    /** Resolves when the lists were read once, or when waiting is of no use. Never fails. */
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

/** The connection was ended: its profile has another one, if it is still there. */
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

/** Fails as the tools do. Of the other lists what could be read is taken, without entries that nothing can ask for. */
async function readLists(remote: RemoteClient): Promise<ReadLists> {
  const [tools, resources, templates, prompts, completes] = await Promise.all([
    remote.listTools(),
    readNamed<ResourceDefinition>(remote.listResources(), 'uri'),
    readNamed<ResourceTemplate>(remote.listResourceTemplates(), 'uriTemplate'),
    readNamed<PromptDefinition>(remote.listPrompts(), 'name'),
    readOr(remote.completes()),
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
