import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { AppEvent, AppHandlers, ProfileView } from '#shared/app-api/index.ts';
import type { Confirmer, ConfirmationPort } from '#shared/host-api/index.ts';

/** The core of a workspace: a complete one, whose only profile is its own embedded service. */
export interface WorkspaceCore extends AsyncDisposable {
  handlers: AppHandlers;
  subscribe(listener: (event: AppEvent) => void): () => void;
  confirmation: ConfirmationPort;
  suspend(): void;
  resume(): void;
  info: { profile(): ProfileView; serviceUrl: string };
}

/** Something that goes wrong at the embedded service; the returned function of `arm` takes it back. */
interface ServiceFaults {
  arm(fault: { kind: 'cut-after-write'; method?: string; path?: string }): () => void;
}

/** What training does to the embedded service of a workspace, past every client of it. */
export interface WorkspaceService {
  faults: ServiceFaults;
}

export interface WorkspaceCoreOptions {
  folder: string;
  /** 32 bytes that seal the secrets of this core. */
  dataKey: Buffer;
  confirmer: Confirmer;
}

/** Opens the core of a workspace and its embedded service. The caller disposes. */
export type OpenWorkspaceCore = (
  options: WorkspaceCoreOptions,
) => Promise<{ core: WorkspaceCore; service: WorkspaceService }>;
