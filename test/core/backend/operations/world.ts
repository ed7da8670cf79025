import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { demoAccounts } from '#core/backend/demo-data/accounts.ts';
import type { DemoAccounts } from '#core/backend/demo-data/accounts.ts';
import { makeDemoData } from '#core/backend/demo-data/make-demo-data.ts';
import type { RemotePrincipal } from '#core/backend/mcp/principal.ts';
import { keyOf } from '#core/backend/mcp/principal.ts';
import { campaignWrites } from '#core/backend/operations/campaign-writes.ts';
import { createOperations } from '#core/backend/operations/operations.ts';
import type { Operations } from '#core/backend/operations/operations.ts';
import type { BackendService } from '#core/backend/service.ts';
import { tenants } from '#core/backend/tenants/index.ts';
import { uploadWrite } from '#core/backend/uploads/upload-write.ts';
import type { CallContext } from '#core/mcp-server/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { openBackendStore } from '#core/store/backend/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { FieldError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

/** What `svc_prepare_…` answers. */
export interface Prepared {
  approval: { id: string; fingerprint: string; expiresAt: string };
  payload: JsonObject;
  diff: { field: string; from: unknown; to: unknown }[];
  warnings: string[];
}

/** What `svc_commit` answers. */
export interface Committed extends JsonObject {
  operationId: string;
  status: string;
  verification: JsonObject;
}

/** How a refusal looks: its code, its status, the fields that it names. */
export interface Refusal {
  code: string;
  status: number;
  fields: FieldError[];
  message: string;
}

/** The tools of one service on its own database, called as principals. */
export interface World {
  service: BackendService;
  operations: Operations;
  clock: ReturnType<typeof createManualClock>;
  file: string;
  principal(options?: PrincipalOptions): RemotePrincipal;
  call(who: RemotePrincipal, tool: string, args: JsonObject): Promise<JsonObject>;
  /** The JSON text of the data, as it goes over the wire. */
  text(who: RemotePrincipal, tool: string, args: JsonObject): Promise<string>;
  prepare(who: RemotePrincipal, tool: string, args: JsonObject): Promise<Prepared>;
  commit(who: RemotePrincipal, prepared: Prepared, more?: JsonObject): Promise<Committed>;
  refusal(call: Promise<unknown>): Promise<Refusal>;
  rows(part: keyof DemoAccounts, status?: 0 | 1 | 2 | 3 | 4): CampaignRow[];
  campaign(part: keyof DemoAccounts, cid: number): JsonObject;
  uid(part: keyof DemoAccounts): number;
}

interface PrincipalOptions {
  part?: keyof DemoAccounts;
  clientId?: string;
  grantId?: string | null;
  scopes?: readonly string[];
}

const everyScope = ['svc:read', 'svc:write', 'svc:upload', 'offline_access'];

/** Nobody listens. */
const quietContext: CallContext = {
  signal: new AbortController().signal,
  sessionId: 'session',
  wantsProgress: false,
  progress: async () => {},
  log: async () => {},
  ask: async () => ({}),
  closeStream: () => {},
};

/** The arguments of a commit of what was prepared. */
export function commitOf({ approval, payload }: Prepared, more: JsonObject = {}): JsonObject {
  const { id: approvalId, fingerprint } = approval;
  return { approvalId, fingerprint, payload, idempotencyKey: `key-${approvalId}`, confirmed: true, ...more };
}

/** Opens a service with demo data; ends with the test. */
export function openWorld(options: { file?: string; campaigns?: number; startMs?: number } = {}): World {
  const file = options.file ?? join(tempFolder(), 'backend.sqlite');
  const clock = createManualClock(options.startMs);
  const service = openService(file, { clock, campaigns: options.campaigns ?? 60 });
  onTestFinished(() => service.store.dispose());
  const operations = createOperations(service, [
    ...campaignWrites(service),
    uploadWrite(service, { origin: 'http://127.0.0.1:4000' }),
  ]);
  const accounts = demoAccounts('northwind');
  const world: World = {
    service,
    operations,
    clock,
    file,
    uid: (part) => accounts[part].uid,
    principal({ part = 'buyer', clientId = 'client', grantId = 'grant', scopes = everyScope } = {}) {
      const member = service.store.read.member(accounts[part].uid) ?? accounts[part];
      const key = keyOf(member.uid, clientId);
      return { key, grantId, member, clientId, scopes: new Set(scopes), identity: 'oauth' };
    },
    async call(who, tool, args) {
      return JSON.parse(await world.text(who, tool, args)) as JsonObject;
    },
    async text(who, name, args) {
      const tool = operations.tools.find((candidate) => candidate.name === name);
      if (tool === undefined) throw new Error(`There is no tool ${name}`);
      const read = tool.input.parse(args) as JsonObject;
      const { data, dataText } = await tool.run(who, read, quietContext);
      tool.output.parse(data);
      const text = JSON.stringify(data);
      if (dataText !== undefined && dataText !== text) throw new Error('The text is not that of the data');
      return text;
    },
    prepare: async (who, tool, args) => (await world.call(who, tool, args)) as unknown as Prepared,
    commit: async (who, prepared, more) =>
      (await world.call(who, 'svc_commit', commitOf(prepared, more))) as Committed,
    async refusal(call) {
      const failure: unknown = await call.then(
        () => new Error('It was not refused'),
        (error: unknown) => error,
      );
      if (!(failure instanceof AppError)) throw failure;
      const { code, status, fields, message } = failure;
      return { code, status, fields, message };
    },
    rows: (part, status) =>
      service.store.read
        .list({
          uid: accounts[part].uid,
          match: { kind: 'all' },
          status: status ?? null,
          types: [],
          sort: 'cid',
          order: 'asc',
          offset: 0,
          limit: 200,
        })
        .rows.map((row) => JSON.parse(row) as CampaignRow),
    campaign: (part, cid) =>
      JSON.parse(service.store.read.payload(accounts[part].uid, cid) ?? 'null') as JsonObject,
  };
  return world;
}

/** A service on this file, filled on its first opening. */
export function openService(
  file: string,
  { clock, campaigns }: { clock: Clock; campaigns: number },
): BackendService {
  const logger = silentLogger;
  const tenant = tenants.northwind;
  const store = openBackendStore({ file, clock, logger });
  if (store.read.isEmpty()) makeDemoData(store, { tenant, nowMs: clock.nowMs(), campaigns });
  const ids = createIds(() => clock.nowMs());
  return { store, tenant, context: store.read.tenant(), clock, ids, logger };
}
