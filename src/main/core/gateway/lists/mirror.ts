import type { ToolPins } from '#core/agents/index.ts';
import type { Connection, Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import { createListReader, type ListReader, type Lists, noLists, type ReadLists } from './list-reader.ts';

interface MirrorOptions {
  connections: Pick<Connections, 'of'>;
  pins: Pick<ToolPins, 'compare'>;
  clock: Clock;
  logger: Logger;
  /** The agents of this profile may be listed something else than before. */
  onListsChanged(profileId: string): void;
}

/** The lists of the profiles' services as they were last read. The last lists stand in for a service that does not answer. */
interface Mirror {
  /** Resolves when the lists of this profile are there, or when waiting is of no use. Never fails. */
  ready(profileId: string): Promise<void>;
  lists(profileId: string): Lists;
  /** True if any of these services completes arguments. */
  completesAny(): boolean;
  /** Ends every listening. */
  end(): void;
}

interface Mirrored {
  connection: Connection;
  reader: ListReader;
}

/** Makes the mirror; nothing is read before an agent connects. */
export function createMirror({ connections, pins, clock, logger, onListsChanged }: MirrorOptions): Mirror {
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
  function readerOf(profileId: string): ListReader {
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
    async ready(profileId) {
      try {
        await readerOf(profileId).ready();
      } catch (failure) {
        // The profile is gone, and its agents with it.
        if (!(failure instanceof AppError)) throw failure;
      }
    },
    lists,
    completesAny: () => [...listsOf.values()].some(({ completes }) => completes),
    end() {
      for (const { reader } of mirrored.values()) reader.end();
      mirrored.clear();
    },
  };
}

function addressOf({ profile }: Connection): string {
  return profile.addresses.mcpUrl;
}
