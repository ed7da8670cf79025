import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { AppEvent, AppHandlers, ProfileView } from '#shared/app-api/index.ts';
import type { CampaignContext } from '#shared/contract/index.ts';
import type { Confirmer, ConfirmationPort } from '#shared/host-api/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

/** The core of a workspace: a complete one, whose only profile is its own embedded service. */
export interface WorkspaceCore extends AsyncDisposable {
  handlers: AppHandlers;
  subscribe(listener: (event: AppEvent) => void): () => void;
  confirmation: ConfirmationPort;
  suspend(): void;
  resume(): void;
  info: { profile(): ProfileView; serviceUrl: string };
}

/** What training does to the embedded service of a workspace, past every client of it. */
export interface WorkspaceService {
  /** The campaigns that a mission may use, in full, with the types and settings of the tenant. */
  buyersCampaigns(): { campaigns: JsonObject[]; context: CampaignContext };
  /** Edits a campaign as someone else does. Fails as a full update. */
  editCampaign(cid: number, fields: JsonObject): void;
  /** Offers a tool with another description and one more argument from now on. Fails with `object_not_found`. */
  offerTool(name: string, definition: { description: string; argument: string }): void;
  faults: {
    /** The next write is stored, and its answer is lost. */
    arm(fault: { kind: 'cut-after-write' }): () => void;
  };
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
