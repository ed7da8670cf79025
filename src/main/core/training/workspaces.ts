import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, createMovableClock, type MovableClock } from '#core/platform/clock.ts';
import { removal } from '#core/platform/disk-places.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import {
  copyWorkspace,
  type StoredState,
  type StoredWorkspace,
  type TrainingStore,
} from '#core/store/training/index.ts';
import { AppError, diskFailure } from '#shared/errors/index.ts';
import type { Confirmer } from '#shared/host-api/index.ts';
import { createDisplayRelay, type DisplayRelay } from '#core/platform/display-relay.ts';
import { makeFolder } from '#system/replace-file.ts';
import type { OpenWorkspaceCore, WorkspaceCore, WorkspaceService } from './workspace-core.ts';

/** A folder with a core and an embedded service. `dispose` keeps the folder. */
export interface Workspace extends AsyncDisposable {
  stored: StoredWorkspace;
  folder: string;
  core: WorkspaceCore;
  service: WorkspaceService;
  relay: DisplayRelay;
  serviceClock: MovableClock;
}

/** Manages the folders of the current workspace and of its saved states. Removes all other folders. */
export interface Workspaces {
  stored(): StoredWorkspace | null;
  /** Removes the stored workspace and opens a new workspace. Leaves no folder if it fails. */
  create(what: Pick<StoredWorkspace, 'kind' | 'mission'>): Promise<Workspace>;
  /** Opens the stored workspace. Fails with `nothing_left`. */
  reopen(): Promise<Workspace>;
  /**
   * Replaces the workspace by a copy of a saved state, or by an empty folder for null. Calls `close` when the new folder is
   * complete, so that at least one of the two always exists. Fails with `nothing_left`, or as the disk does.
   */
  replace(by: StoredState | null, close: () => Promise<void>): Promise<Workspace>;
  remove(): void;
}

export interface WorkspacesOptions {
  folder: string;
  store: Pick<TrainingStore, 'workspace' | 'states' | 'transaction'>;
  confirmer: Confirmer;
  openCore: OpenWorkspaceCore;
  onRemove(workspace: StoredWorkspace): void;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  const { folder: root, store, confirmer, openCore, onRemove, clock, ids, logger } = options;
  const folderOf = ({ id }: Pick<StoredWorkspace, 'id'>): string => join(root, id);

  function stored(): StoredWorkspace | null {
    const found = store.workspace.find();
    return found !== null && isFolder(folderOf(found)) ? found : null;
  }

  function sweep(): void {
    const referenced = new Set([
      store.workspace.find()?.id,
      ...store.states.all().map((state) => state.folder),
    ]);
    for (const name of namesIn(root)) {
      if (!referenced.has(name)) removeFolder(join(root, name));
    }
  }

  function remove(): void {
    store.transaction(() => {
      const found = store.workspace.find();
      if (found !== null) onRemove(found);
      store.workspace.forget();
      store.states.clear();
    });
    sweep();
  }

  async function open(workspace: StoredWorkspace): Promise<Workspace> {
    const relay = createDisplayRelay(confirmer);
    const folder = folderOf(workspace);
    const serviceClock = createMovableClock(clock, workspace.aheadMs);
    const { dataKey } = workspace;
    const opened = await openCore({ folder, dataKey, confirmer: relay.confirmer, serviceClock });
    return {
      ...opened,
      stored: workspace,
      folder,
      relay,
      serviceClock,
      async dispose() {
        relay.end();
        await opened.core.dispose();
      },
    };
  }

  if (stored() === null) remove();
  else sweep();

  return {
    stored,
    async create(what) {
      remove();
      const dataKey = randomBytes(32);
      const workspace = { id: ids.id(), ...what, atMs: clock.nowMs(), aheadMs: 0, dataKey };
      store.workspace.keep(workspace);
      try {
        return await open(workspace);
      } catch (failure) {
        logger.warn({ failure }, 'A workspace could not be made');
        remove();
        throw failure;
      }
    },
    async reopen() {
      const workspace = stored();
      if (workspace === null) throw new AppError('nothing_left');
      return open(workspace);
    },
    async replace(by, close) {
      const before = stored();
      if (before === null) throw new AppError('nothing_left');
      const after = { ...before, id: ids.id(), aheadMs: by?.aheadMs ?? 0 };
      try {
        if (by !== null) copyWorkspace(join(root, by.folder), folderOf(after));
        else makeWorkspaceFolder(folderOf(after));
        await close();
        store.workspace.keep(after);
      } finally {
        sweep();
      }
      return open(after);
    },
    remove,
  };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function makeWorkspaceFolder(path: string): void {
  try {
    makeFolder(path, 0o700);
  } catch (failure) {
    throw diskFailure(failure, 'storage_failed');
  }
}

function namesIn(folder: string): string[] {
  return isFolder(folder) ? readdirSync(folder) : [];
}

function removeFolder(folder: string): void {
  try {
    rmSync(folder, removal);
  } catch (failure) {
    throw diskFailure(failure, 'storage_failed');
  }
}
