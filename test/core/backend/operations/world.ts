import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { demoAccounts, type DemoAccounts } from '#core/backend/demo-data/credentials.ts';
import type { RemotePrincipal } from '#core/backend/remote-call/tool.ts';
import { campaignWrites } from '#core/backend/operations/campaign-writes.ts';
import { createOperations, type Operations } from '#core/backend/operations/operations.ts';
import type { BackendService } from '#core/backend/service.ts';
import { uploadWrite } from '#core/backend/uploads/uploads.ts';
import { JsonText } from '#core/mcp-server/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { AppError, type FieldError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { createManualClock } from '#test/servers/manual-clock.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { copyService } from '#test/servers/template-folder.ts';
import {
  commitOf,
  openService,
  principalOf,
  quietContext,
  type Prepared,
  type PrincipalOptions,
} from './open-service.ts';

export { commitOf };
export type { Prepared };

/** The answer of `svc_commit`. */
export interface Committed extends JsonObject {
  operationId: string;
  status: string;
  verification: JsonObject;
}

/** The code, status and fields of a refusal. */
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
  /** Returns the JSON text of the data as it is sent. */
  text(who: RemotePrincipal, tool: string, args: JsonObject): Promise<string>;
  prepare(who: RemotePrincipal, tool: string, args: JsonObject): Promise<Prepared>;
  commit(who: RemotePrincipal, prepared: Prepared, more?: JsonObject): Promise<Committed>;
  refusal(call: Promise<unknown>): Promise<Refusal>;
  rows(part: keyof DemoAccounts, status?: 0 | 1 | 2 | 3 | 4): CampaignRow[];
  campaign(part: keyof DemoAccounts, cid: number): JsonObject;
  uid(part: keyof DemoAccounts): number;
}

/** Opens a service with demo data. It ends with the test. */
export function openWorld(options: { file?: string; campaigns?: number; startMs?: number } = {}): World {
  const clock = createManualClock(options.startMs);
  const { campaigns = 60 } = options;
  const file = options.file ?? join(tempFolder(), 'backend.sqlite');
  if (options.file === undefined) copyService(file, { campaigns, nowMs: clock.nowMs() });
  const service = openService(file, { clock, campaigns });
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
    principal: (asked) => principalOf(service, asked),
    async call(who, tool, args) {
      return JSON.parse(await world.text(who, tool, args)) as JsonObject;
    },
    async text(who, name, args) {
      const tool = operations.tools.find((candidate) => candidate.name === name);
      if (tool === undefined) throw new Error(`There is no tool ${name}`);
      const read = tool.input.parse(args) as JsonObject;
      const { data } = await tool.run(who, read, quietContext);
      const text = JSON.stringify(data);
      tool.output.parse(JSON.parse(text));
      if (data instanceof JsonText && data.text !== text) throw new Error('The text is not that of the data');
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
