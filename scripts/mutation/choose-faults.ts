import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourcesBelow } from '../lib/source-files.ts';
import { faultsIn, type Fault } from './faults.ts';

/** The folders that guard campaigns: the gate for writes, the agents, the ledger, and the service. */
export const guardedFolders = [
  'src/main/core/proposals',
  'src/main/core/gateway',
  'src/main/core/agents',
  'src/main/core/ledger',
  'src/main/core/oauth-server',
  'src/main/core/backend',
  'src/shared/campaign',
];

/** Which faults are planted. */
export interface Choice {
  count: number;
  seed: number;
  folders: readonly string[];
}

/**
 * Chooses faults of the project in `root`, as many of each folder and, in a folder, of each kind. A seed chooses by the text of
 * a place alone, so that a change of one file leaves the faults of the others.
 */
export function chooseFaults(root: string, { count, seed, folders }: Choice): Fault[] {
  const queues = folders.map((folder) => {
    const faults = sourcesBelow(root, folder).flatMap((file) =>
      faultsIn(file, readFileSync(join(root, file), 'utf8')),
    );
    return takeInTurn([...Map.groupBy(shuffled(faults, seed), ({ kind }) => kind).values()]);
  });
  return takeInTurn(queues).slice(0, count);
}

/** Sorts faults by a hash of the seed and of their text; equal places of a file are told apart by their number. */
function shuffled(faults: readonly Fault[], seed: number): Fault[] {
  const seen = new Map<string, number>();
  const keyed = faults.map((fault) => {
    const place = [fault.file, fault.kind, fault.original].join('\n');
    const nth = (seen.get(place) ?? 0) + 1;
    seen.set(place, nth);
    return { fault, key: createHash('sha256').update(`${seed} ${nth} ${place}`).digest('hex') };
  });
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ fault }) => fault);
}

/** The first of every list, then the second of every list, and so on. */
function takeInTurn<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}
