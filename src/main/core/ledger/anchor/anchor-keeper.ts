import { existsSync, renameSync } from 'node:fs';
import { basename } from 'node:path';
import { refuseFolders } from '#core/platform/refuse-folders.ts';
import { diskFailure } from '#shared/errors/index.ts';
import type { Signer } from '../signer.ts';
import { signAnchor } from './anchor.ts';
import { anchorFile, readAnchor, writeAnchor, type FoundAnchor } from './anchor-file.ts';

/** What is left of a ledger whose database was damaged and set aside. */
export interface FollowedLedger {
  /** The name of the file that was set aside. */
  database: string;
  /** How many rows its anchor named, and their last hash; null when the anchor was gone too. */
  count: number | null;
  head: string | null;
}

/** Keeps the anchor of the ledger in one data folder. */
export interface AnchorKeeper {
  read(): FoundAnchor;
  /** Names this many rows with this hash at the end. On the disk when it returns; fails as the disk does. */
  seal(place: { count: number; head: string }, signer: Signer): void;
  /** Moves the anchor of a database that was set aside to that one's side. */
  setAside(database: string): FollowedLedger;
}

/** Fails with `path_occupied` where a folder has the anchor's name. */
export function createAnchorKeeper(folder: string): AnchorKeeper {
  const file = anchorFile(folder);
  refuseFolders([file, `${file}.new`]);
  return {
    read: () => readAnchor(file),
    seal(place, signer) {
      const anchor = signAnchor(place, signer);
      try {
        writeAnchor(file, anchor);
      } catch (cause) {
        throw diskFailure(cause, 'storage_failed');
      }
    },
    setAside(database) {
      const found = readAnchor(file);
      if (existsSync(file)) renameSync(file, `${database}.anchor.json`);
      const { count, head } = found.kind === 'found' ? found.anchor : { count: null, head: null };
      return { database: basename(database), count, head };
    },
  };
}
