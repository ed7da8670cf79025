import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoAccounts, type DemoAccounts } from '#core/backend/demo-data/credentials.ts';
import { createRemoteSurface } from '#core/backend/mcp/remote-surface.ts';
import type { RemoteQuotas } from '#core/backend/mcp/admission.ts';
import {
  principalKeyOf,
  type RemotePrincipal,
  type Scope,
  type RemoteTool,
} from '#core/backend/remote-call/tool.ts';
import type { PublisherReports } from '#core/backend/publisher/reports.ts';
import { type BackendService, tenants, type TenantId } from '#core/backend/service.ts';
import type { CallContext, McpSurface, ToolResult } from '#core/mcp-server/index.ts';
import { systemClock, type Clock } from '#core/platform/clock.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger, type Logger } from '#core/platform/logger.ts';
import { openBackendStore, type Member } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { copyService } from '#test/servers/template-folder.ts';

/** The remote surface of one account, called without HTTP. */
export interface OpenSurface {
  surface: McpSurface<RemotePrincipal>;
  service: BackendService;
  accounts: DemoAccounts;
  /** Returns a caller. The default is the buyer with every scope. */
  principal(options?: {
    account?: keyof DemoAccounts;
    scopes?: readonly Scope[];
    clientId?: string;
    modules?: Member['modules'];
  }): RemotePrincipal;
  call(name: string, args?: JsonObject, principal?: RemotePrincipal): Promise<ToolResult>;
  dispose(): Promise<void>;
}

export const everyScope: readonly Scope[] = ['svc:read', 'svc:write', 'svc:upload', 'offline_access'];

/** A call context without a client that listens. */
export const quietContext: CallContext = {
  signal: new AbortController().signal,
  isEnding: false,
  sessionId: 'a session',
  client: null,
  wantsProgress: false,
  progress: async () => {},
  log: async () => {},
  ask: async () => ({}),
  closeStream: () => {},
};

const emptyReports: PublisherReports = {
  xml: async () => [],
  search: async () => ({ rows: [], total: 0 }),
  searchAll: async () => ({ total: 0, batches: (async function* none() {})() }),
  sources: () => ({ tids: [7001], feeds: [301] }),
};

/** Opens the remote surface on a real database with demo data. `tools` replace the tools that prepare and commit. */
export async function openSurface(
  options: {
    tenant?: TenantId;
    campaigns?: number;
    quotas?: Partial<RemoteQuotas>;
    clock?: Clock;
    logger?: Logger;
    reports?: Partial<PublisherReports>;
    tools?: readonly RemoteTool[];
  } = {},
): Promise<OpenSurface> {
  const { clock = systemClock, logger = silentLogger, campaigns = 30, tools = [] } = options;
  const tenant = tenants[options.tenant ?? 'northwind'];
  const folder = await mkdtemp(join(tmpdir(), 'countersign-surface-'));
  const file = join(folder, 'backend.sqlite');
  copyService(file, { tenant: tenant.id, campaigns, nowMs: clock.nowMs() });
  const store = openBackendStore({ file, clock, logger: silentLogger });
  const ids = createIds(() => clock.nowMs());
  const service: BackendService = { store, tenant, context: store.read.tenant(), clock, ids, logger };
  const accounts = demoAccounts(tenant.id);
  const readRun = (uid: number, runId: string) => {
    if (uid === accounts.buyer.uid && runId === 'run-1')
      return { contentType: 'text/csv', content: 'date\r\n' };
    throw new AppError('object_not_found');
  };
  const surface = createRemoteSurface(service, {
    onCommit: () => {},
    reports: { ...emptyReports, ...options.reports },
    tools,
    runs: { readRun },
    quotas: { callsPerMinute: null, operationsPerMinute: null, ...options.quotas },
  });
  const principal: OpenSurface['principal'] = ({
    account = 'buyer',
    scopes,
    clientId = 'client',
    modules,
  } = {}) => {
    const member = store.read.member(accounts[account].uid);
    if (member === null) throw new Error('There is no such account');
    return {
      key: principalKeyOf(member.uid, clientId),
      grantId: 'grant',
      member: { ...member, modules: modules ?? member.modules },
      clientId,
      scopes: new Set<string>(scopes ?? everyScope),
      identity: 'oauth',
    };
  };
  return {
    surface,
    service,
    accounts,
    principal,
    async call(name, args = {}, who = principal()) {
      const result = await surface.callTool(who, { name, args }, quietContext);
      return JSON.parse(JSON.stringify(result)) as ToolResult;
    },
    dispose: async () => {
      await store.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the refusal in an answer; fails if the call succeeded. */
export function refusalOf(result: ToolResult): {
  code: string;
  message: string;
  next: string;
  statusCode: number;
  errors?: { field: string; code: string; message: string }[];
} {
  if (result.isError !== true) throw new Error(`Not refused: ${JSON.stringify(result).slice(0, 300)}`);
  return (result.structuredContent as { error: ReturnType<typeof refusalOf> }).error;
}

/** Returns the data in an answer; fails if the call was refused. */
export function dataOf(result: ToolResult): never {
  if (result.isError === true) throw new Error(`Refused: ${JSON.stringify(result.structuredContent)}`);
  return (result.structuredContent as { data: never }).data;
}
