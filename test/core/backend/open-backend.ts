import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultCampaigns } from '#core/backend/demo-data/make-demo-data.ts';
import { createBackend } from '#core/backend/index.ts';
import type { Backend, BackendOptions, DemoCredentials } from '#core/backend/index.ts';
import { systemClock } from '#core/platform/clock.ts';
import type { Clock } from '#core/platform/clock.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger } from '#core/platform/logger.ts';
import type { CampaignContext, CampaignRow } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { copyService } from '#test/servers/template-folder.ts';

/** A complete answer with its body. */
export interface Answer {
  status: number;
  text: string;
  headers: Headers;
  body: {
    status: string;
    message: string;
    code?: string;
    errors?: { field: string; code: string; message: string }[];
    data?: never;
  };
}

/** One page of the campaign list. */
export interface ListPage {
  data: CampaignRow[];
  total: number;
  currentPage: number;
  totalPages: number;
}

/** A running service with a folder of its own, called over HTTP. */
export interface RunningBackend {
  backend: Backend;
  credentials: DemoCredentials;
  file: string;
  port: number;
  baseUrl: string;
  /** Sends with the buyer's token, unless another token or null (no token) is given. */
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  list(query?: string, token?: string): Promise<ListPage>;
  campaign(cid: number, token?: string): Promise<JsonObject>;
  context(cid: number): Promise<CampaignContext>;
  put(cid: number, payload: unknown, token?: string): Promise<Answer>;
  setStatus(body: unknown, token?: string): Promise<Answer>;
  dispose(): Promise<void>;
}

export interface SendOptions {
  token?: string | null;
  body?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
}

/** A running clock. `move` sets it (the wall clock); `pass` lets time pass. */
export function movableClock(): Clock & { move(ms: number): void; pass(ms: number): void } {
  let moved = 0;
  let passed = 0;
  return {
    ...systemClock,
    nowMs: () => Date.now() + moved + passed,
    monotonicMs: () => systemClock.monotonicMs() + passed,
    move: (ms) => void (moved += ms),
    pass: (ms) => void (passed += ms),
  };
}

export async function startBackend(options: Partial<BackendOptions> = {}): Promise<RunningBackend> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-backend-'));
  const file = join(folder, 'backend.sqlite');
  const clock = options.clock ?? systemClock;
  const { tenant = 'northwind', campaigns = defaultCampaigns } = options;
  if (options.file === undefined) copyService(file, { tenant, campaigns, nowMs: clock.nowMs() });
  const backend = createBackend({
    tenant,
    file,
    consent: { kind: 'page' },
    clock,
    ids: createIds(() => clock.nowMs()),
    logger: silentLogger,
    days: 30,
    ...options,
  });
  const { baseUrl, port } = await backend.listen();
  const credentials = backend.issueDemoCredentials();
  const send = async (
    method: string,
    path: string,
    { token, body, headers }: SendOptions = {},
  ): Promise<Answer> => {
    const bearer = token === undefined ? credentials.memberToken : token;
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    return { status: answer.status, text, headers: answer.headers, body: JSON.parse(text) as Answer['body'] };
  };
  const data = async (path: string, token?: string): Promise<never> => {
    const answer = await send('GET', path, token === undefined ? {} : { token });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body.data as never;
  };
  const json = { 'content-type': 'application/json' };
  const tokenOf = (token?: string) => (token === undefined ? {} : { token });
  return {
    backend,
    credentials,
    file,
    port,
    baseUrl,
    send,
    list: (query = '', token) => data(`/login/campaigns/campaigns${query}`, token),
    campaign: async (cid, token) =>
      (await (data(`/login/campaigns/${cid}`, token) as Promise<{ campaign: JsonObject }>)).campaign,
    context: async (cid) => {
      const found: { campaign_types: CampaignContext['types']; settings: CampaignContext['settings'] } =
        await data(`/login/campaigns/${cid}`);
      return { types: found.campaign_types, settings: found.settings };
    },
    put: (cid, payload, token) =>
      send('PUT', `/login/campaigns/${cid}`, {
        body: JSON.stringify(payload),
        headers: json,
        ...tokenOf(token),
      }),
    setStatus: (body, token) =>
      send('PUT', '/login/campaigns/update-status', {
        body: JSON.stringify(body),
        headers: json,
        ...tokenOf(token),
      }),
    dispose: async () => {
      await backend.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
