import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { RemoteClient } from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { PromptDefinition, ResourceDefinition, ResourceTemplate } from '#core/mcp-server/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

/** The lists of a service besides its tools, complete. */
export interface Lists {
  resources: readonly ResourceDefinition[];
  templates: readonly ResourceTemplate[];
  prompts: readonly PromptDefinition[];
  /** True if it completes arguments of prompts and templates. */
  completes: boolean;
}

/** The lists that were read; one that could not be read is missing. */
export interface ReadLists {
  tools: readonly JsonObject[];
  others: Partial<Lists>;
}

export const noLists: Lists = { resources: [], templates: [], prompts: [], completes: false };

/** The lists of one connection: read when they are first needed, and again when they may be others. */
export interface ListReader {
  /**
   * Resolves when the lists were read once, or when waiting is of no use: who comes while the first reading takes long, or
   * after it failed, does not wait. Never fails.
   */
  ready(): Promise<void>;
  /** Ends the listening; what is still read is not taken. */
  end(): void;
}

interface ListReaderOptions {
  remote: RemoteClient;
  clock: Clock;
  logger: Logger;
  /** Takes what was read. */
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
export function createListReader(options: ListReaderOptions): ListReader {
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
    async ready() {
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

/**
 * Reads every list of a service to its end. Fails as the tools do; of the others what could be read is taken, but for entries
 * without the member by which they are asked for.
 */
async function readLists(remote: RemoteClient): Promise<ReadLists> {
  const [tools, resources, templates, prompts, completes] = await Promise.all([
    remote.listTools(),
    readOr(remote.listResources()),
    readOr(remote.listResourceTemplates()),
    readOr(remote.listPrompts()),
    readOr(remote.completes()),
  ]);
  return {
    tools,
    others: {
      ...(resources === null ? {} : { resources: resources.filter(isResource) }),
      ...(templates === null ? {} : { templates: templates.filter(isTemplate) }),
      ...(prompts === null ? {} : { prompts: prompts.filter(isPrompt) }),
      ...(completes === null ? {} : { completes }),
    },
  };
}

async function readOr<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch(() => null);
}

function isResource(entry: JsonObject): entry is JsonObject & ResourceDefinition {
  return typeof entry['uri'] === 'string';
}

function isTemplate(entry: JsonObject): entry is JsonObject & ResourceTemplate {
  return typeof entry['uriTemplate'] === 'string';
}

function isPrompt(entry: JsonObject): entry is JsonObject & PromptDefinition {
  return typeof entry['name'] === 'string';
}
