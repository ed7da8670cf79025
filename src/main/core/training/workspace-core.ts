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

/** A complete core whose only profile is its own embedded service. */
export interface WorkspaceCore extends AsyncDisposable {
  handlers: AppHandlers;
  subscribe(listener: (event: AppEvent) => void): () => void;
  confirmation: ConfirmationPort;
  suspend(): void;
  resume(): void;
  info: { profile(): ProfileView; serviceUrl: string };
}

export interface WorkspaceService {
  buyersCampaigns(): { campaigns: JsonObject[]; context: CampaignContext };
  /** Edits a campaign as another person would. Fails as a full update does. */
  editCampaign(cid: number, fields: JsonObject): void;
  /** Makes all edits or none. */
  editCampaigns(edits: readonly { cid: number; fields: JsonObject }[]): void;
  /** Replaces the tool's description and adds one argument. Fails with `object_not_found`. */
  redefineTool(name: string, definition: { description: string; argument: string }): void;
  /** In integer micros; null for an unknown account. */
  balanceMicros(uid: number): number | null;
  setBalance(uid: number, balanceMicros: number): void;
  faults: ServiceFaults;
}

/** A fault without `lasts` affects one request. An agent's commit counts as a PUT. */
export type ServiceFault =
  | {
      kind: 'answer';
      status: 401 | 402 | 409 | 421 | 429 | 503;
      method?: string;
      path?: string;
      lasts?: true;
    }
  | { kind: 'slow'; ms: number; lasts: true }
  /** The next write is stored but its answer is lost. With `cid`, this applies to an agent's next commit for this campaign. */
  | { kind: 'cut-after-write'; cid?: number }
  | { kind: 'not-ready'; part: 'oauth_storage' };

export interface ServiceFaults {
  /** The returned function disarms the fault. */
  arm(fault: ServiceFault): () => void;
  /** False once this fault object was consumed or disarmed. */
  has(fault: ServiceFault): boolean;
}

/** Opens a core that the caller disposes. */
export type OpenWorkspaceCore = (options: {
  folder: string;
  dataKey: Buffer;
  confirmer: Confirmer;
  serviceClock: MovableClock;
}) => Promise<{ core: WorkspaceCore; service: WorkspaceService }>;

/** Returns the address of the open gateway. Uses another port if the workspace's port is taken. Fails with `gateway_closed`. */
export async function gatewayOf({ handlers }: Pick<WorkspaceCore, 'handlers'>): Promise<string> {
  for (const onAnotherPort of [false, true]) {
    await handlers['agents.openEndpoint']({ onAnotherPort });
    const { endpoint } = await handlers['agents.get']({});
    if (endpoint.problem === null) return endpoint.url;
  }
  throw new AppError('gateway_closed');
}

const reloadMs = 3_000;

/** Closes a workspace with a delay: requests are answered until its page has reloaded. */
export interface Closing<T> {
  last(): T | null;
  later(what: T, close: () => Promise<void>): void;
  /** Closes immediately. Resolves when everything is closed. Never fails. */
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
