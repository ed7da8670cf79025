import type { Clock, MovableClock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import {
  appApi,
  type AppEvent,
  type AppHandlers,
  type AppRequest,
  type ProfileView,
} from '#shared/app-api/index.ts';
import type { CampaignContext } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
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

/** Training's access to the embedded service of a workspace, past every client of it. */
export interface WorkspaceService {
  /** The campaigns that a mission may use, in full, with the types and settings of the tenant. */
  buyersCampaigns(): { campaigns: JsonObject[]; context: CampaignContext };
  /** Edits a campaign as someone else does. Fails as a full update. */
  editCampaign(cid: number, fields: JsonObject): void;
  /** The same for several campaigns, all or none. */
  editCampaigns(edits: readonly { cid: number; fields: JsonObject }[]): void;
  /** Offers a tool with another description and one more argument from now on. Fails with `object_not_found`. */
  offerTool(name: string, definition: { description: string; argument: string }): void;
  /** The available balance of an account in integer micros; null for an account that does not exist. */
  balanceMicros(uid: number): number | null;
  setBalance(uid: number, balanceMicros: number): void;
  faults: ServiceFaults;
}

/** A fault of the embedded service. One without `lasts` hits one request; a commit of an agent counts as a PUT. */
export type ServiceFault =
  | {
      kind: 'answer';
      status: 401 | 402 | 409 | 421 | 429 | 503;
      method?: string;
      path?: string;
      lasts?: true;
    }
  | { kind: 'slow'; ms: number; lasts: true }
  /** The next write is stored, and its answer is lost; with a campaign, the next commit of an agent that writes it. */
  | { kind: 'cut-after-write'; cid?: number }
  | { kind: 'not-ready'; part: 'oauth_storage' };

export interface ServiceFaults {
  /** The returned function disarms. */
  arm(fault: ServiceFault): () => void;
  /** True while a fault, by identity, was neither consumed nor disarmed. */
  has(fault: ServiceFault): boolean;
}

export interface WorkspaceCoreOptions {
  folder: string;
  /** 32 bytes that seal the secrets of this core. */
  dataKey: Buffer;
  confirmer: Confirmer;
  serviceClock: MovableClock;
}

/** Opens the core of a workspace and its embedded service. The caller disposes. */
export type OpenWorkspaceCore = (
  options: WorkspaceCoreOptions,
) => Promise<{ core: WorkspaceCore; service: WorkspaceService }>;

/**
 * The address at which agents connect to a workspace; another one where something else has taken its port meanwhile. Fails with
 * `gateway_closed`.
 */
export async function gatewayOf({ handlers }: Pick<WorkspaceCore, 'handlers'>): Promise<string> {
  for (const onAnotherPort of [false, true]) {
    await handlers['agents.openEndpoint']({ onAnotherPort });
    const { endpoint } = await handlers['agents.get']({});
    if (endpoint.problem === null) return endpoint.url;
  }
  throw new AppError('gateway_closed');
}

/** Time in which the page of a workspace that was left, or is over, is loaded anew. */
const reloadMs = 3_000;

/**
 * Delayed closing. A workspace answers its page for a moment more: requests before the page is loaded anew would be refused else,
 * and there is nothing to do about such a refusal.
 */
export interface Closing<T> {
  /** Workspace still answering, or null. */
  last(): T | null;
  /** Closes it when its page is gone. A failure is logged. */
  later(what: T, close: () => Promise<void>): void;
  /** Closes at once what is still to be closed. Resolves when it is closed. Never fails. */
  now(): Promise<void>;
}

export function createClosing<T>({ clock, logger }: { clock: Clock; logger: Logger }): Closing<T> {
  let answering: { what: T; close(): Promise<void>; cancel(): void } | null = null;
  let closed = Promise.resolve();

  function end(): void {
    if (answering === null) return;
    const { close, cancel } = answering;
    cancel();
    answering = null;
    closed = close().catch((failure: unknown) => logger.error({ failure }, 'A workspace did not close well'));
  }

  return {
    last: () => answering?.what ?? null,
    later(what, close) {
      end();
      answering = { what, close, cancel: clock.after(reloadMs, end) };
    },
    now() {
      end();
      return closed;
    },
  };
}

const dataReads: readonly AppRequest[] = ['data.get', 'data.diagnostics'];

type DataRequest = Exclude<Extract<AppRequest, `data.${string}`>, 'data.get' | 'data.diagnostics'>;

/** Refuses backups, restores and deletions: a backup of a workspace must never be restored as real work. */
export function refusedData(): Pick<AppHandlers, DataRequest> {
  const refuse = (): Promise<never> => Promise.reject(new AppError('workspace_kind'));
  const refusals = (Object.keys(appApi) as AppRequest[])
    .filter((name) => name.startsWith('data.') && !dataReads.includes(name))
    .map((name) => [name, refuse] as [string, unknown]);
  return Object.fromEntries(refusals) as Pick<AppHandlers, DataRequest>;
}
