import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Ids } from '#core/platform/ids.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { StoredWorkspace, TrainingStore } from '#core/store/training/index.ts';
import { AppError, diskFailure } from '#shared/errors/index.ts';
import type { Confirmer } from '#shared/host-api/index.ts';
import { createShowingRelay, type ShowingRelay } from './showing-relay.ts';
import type { OpenWorkspaceCore, WorkspaceCore, WorkspaceService } from './workspace-core.ts';

/** A workspace that is open: a folder of its own, with a core and an embedded service in it. Dispose keeps the folder. */
export interface Workspace extends AsyncDisposable {
  stored: StoredWorkspace;
  folder: string;
  core: WorkspaceCore;
  service: WorkspaceService;
  relay: ShowingRelay;
}

/** The folders of workspaces. One exists at most: that of the workspace that is open or was left. */
export interface Workspaces {
  /** The workspace that is open or was left, or null. */
  stored(): StoredWorkspace | null;
  /** Opens a new workspace in place of the one that was left, which is removed. Leaves nothing behind when it fails. */
  create(what: Pick<StoredWorkspace, 'kind' | 'mission'>): Promise<Workspace>;
  /** Opens the workspace that was left. Fails with `nothing_left`. */
  reopen(): Promise<Workspace>;
  /** Removes the workspace, which is not open any more, with everything in it. Does nothing without one. */
  remove(): void;
}

export interface WorkspacesOptions {
  /** Where their folders lie. */
  folder: string;
  store: Pick<TrainingStore, 'workspace'>;
  /** The host's. */
  confirmer: Confirmer;
  openCore: OpenWorkspaceCore;
  clock: Clock;
  ids: Ids;
  logger: Logger;
}

/** Removes every folder that a crash left behind, but the one that can be resumed. */
export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  const { folder: root, store, confirmer, openCore, clock, ids, logger } = options;
  const folderOf = ({ id }: Pick<StoredWorkspace, 'id'>): string => join(root, id);

  function stored(): StoredWorkspace | null {
    const found = store.workspace.find();
    return found !== null && isFolder(folderOf(found)) ? found : null;
  }

  function removeFolders(but: string | null): void {
    for (const name of namesIn(root)) {
      if (name !== but) removeFolder(join(root, name));
    }
  }

  function remove(): void {
    store.workspace.forget();
    removeFolders(null);
  }

  async function open(workspace: StoredWorkspace): Promise<Workspace> {
    const relay = createShowingRelay(confirmer);
    const folder = folderOf(workspace);
    const opened = await openCore({ folder, dataKey: workspace.dataKey, confirmer: relay.confirmer });
    return {
      ...opened,
      stored: workspace,
      folder,
      relay,
      async dispose() {
        relay.hideAll();
        await opened.core.dispose();
      },
    };
  }

  const left = stored();
  if (left === null) store.workspace.forget();
  removeFolders(left?.id ?? null);

  return {
    stored,
    async create(what) {
      remove();
      const workspace = { id: ids.id(), ...what, atMs: clock.nowMs(), dataKey: randomBytes(32) };
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
    remove,
  };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function namesIn(folder: string): string[] {
  return isFolder(folder) ? readdirSync(folder) : [];
}

/** On Windows a file is held for a moment after it was closed. */
const removal = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 } as const;

function removeFolder(folder: string): void {
  try {
    rmSync(folder, removal);
  } catch (failure) {
    throw diskFailure(failure, 'storage_failed');
  }
}
