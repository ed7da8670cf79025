/**
 * `npm run structure:paths` counts the source files that a request runs through, which a reader would have to open. V8's
 * coverage lists every file with a function that ran each time the request was made, so that the app's own concurrent work
 * does not count. `--list` prints the files.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { composeCore } from '#core/compose/compose.ts';
import { armingDelayMs, type Display } from '#shared/host-api/index.ts';
import { startBackend } from '#test/core/backend/open-backend.ts';
import { startAgent, type AgentMemory } from '#test/servers/agent/agent.ts';
import { startChild } from '#test/servers/child.ts';
import { projectRoot } from '../../scripts/lib/run-tool.ts';
import { textTable } from '../../scripts/lib/text-table.ts';
import { proposeUpdate } from '#test/fixtures/propose-update.ts';

const sources = pathToFileURL(join(projectRoot, 'src/')).href;
const settleMs = 300;
const turns = 3;
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** Returns the source files with a function that ran since the last call. */
async function filesSince(): Promise<string[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => url.startsWith(sources))
    .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .map(({ url }) => fileURLToPath(url).slice(projectRoot.length + 1));
}

const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, settleMs));

/** Returns the files that ran every time. `prepare` runs before each turn and is not counted. */
async function filesOf(prepare: (turn: number) => Promise<() => Promise<unknown>>): Promise<string[]> {
  let common: string[] | null = null;
  for (let turn = 0; turn < turns; turn += 1) {
    const run = await prepare(turn);
    await quiet();
    await filesSince();
    await run();
    const files = new Set(await filesSince());
    common = (common ?? [...files]).filter((file) => files.has(file));
  }
  return (common ?? []).toSorted();
}

/** Measures the service first, before an app runs whose own work would count. */
async function filesOfListing(): Promise<string[]> {
  const backend = await startBackend({ quotas: { callsPerMinute: null, operationsPerMinute: null } });
  const files = await filesOf(async () => () => backend.list());
  await backend.dispose();
  return files;
}

const listing = await filesOfListing();

/** The service runs in a process of its own, so that its files do not count as the app's. */
const serving = startChild(new URL('../bench/gateway/service.ts', import.meta.url), []);
const service = JSON.parse(await serving.line()) as { port: number; baseUrl: string; memberToken: string };
const dataFolder = await mkdtemp(join(tmpdir(), 'countersign-paths-'));
const gone = new AbortController();
const shown: Display[] = [];
let wake = (): void => {};
const core = await composeCore({
  dataFolder,
  host: 'desktop',
  version: '0.0.0',
  dataKey: randomBytes(32),
  demoCampaigns: 1,
  confirmer: {
    via: 'desktop',
    async show(display) {
      shown.push(display);
      wake();
      return { address: null };
    },
    hide() {},
  },
});
const { handlers, confirmation } = core;

const origin = `http://127.0.0.1:${service.port}`;
const { id: profile } = await handlers['profiles.add']({
  name: 'Paths',
  baseUrl: service.baseUrl,
  apiUrl: origin,
  mcpUrl: origin,
  zone: 'UTC',
  remoteAccess: 'direct-jwt',
});
await handlers['profiles.keepCredential']({ id: profile, name: 'memberToken', value: service.memberToken });
await handlers['profiles.switch']({ id: profile });
await handlers['agents.openEndpoint']({ onAnotherPort: false });
const { endpoint } = await handlers['agents.get']({});

/** Shows a proposal, waits until the buttons are armed, and approves. */
async function approve(id: string): Promise<void> {
  await handlers['proposals.review']({ id });
  const display = shown.at(-1);
  if (display === undefined) throw new Error('Nothing was shown');
  const { displayId, nonce, fingerprint, proposal } = display;
  confirmation.seen({ displayId, nonce });
  await new Promise((resolve) => setTimeout(resolve, armingDelayMs + 50));
  const typed = proposal.typeToConfirm?.value ?? null;
  await confirmation.decide({ displayId, nonce, fingerprint, decision: 'approve', reason: null, typed });
}

async function nextProposal(known: ReadonlySet<string>): Promise<string> {
  for (;;) {
    const { items } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 50 });
    const found = items.find(({ id }) => !known.has(id));
    if (found !== undefined) return found.id;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const memory: AgentMemory = {};
const coming = startAgent(endpoint.url, { name: 'Paths', memory, signal: gone.signal });
await approve(await nextProposal(new Set()));
const agent = await coming.agent;
const list = await agent.call('svc_list_campaigns', { status: 'active', limit: 50 });
const rows = (list.structuredContent as { data: { cid: number; payout: number }[] }).data;
const campaigns = rows.filter(({ payout }) => payout > 0.1);
if (campaigns.length < 2 * turns) throw new Error('Too few campaigns');

async function editBid(turn: number): Promise<void> {
  const { cid, payout: from } = campaigns[turn]!;
  const to = Number((from * 1.1).toFixed(4));
  await approve((await proposeUpdate(handlers, { cid, changes: [{ field: 'payout', from, to }] })).id);
}

async function prepared(turn: number) {
  const { cid, payout } = campaigns[turns + turn]!;
  const answer = await agent.call('svc_prepare_campaign_update', {
    cid,
    changes: { payout: Number((payout * 0.9).toFixed(4)) },
  });
  const { data } = answer.structuredContent as {
    data: { approval: { id: string; fingerprint: string }; payload: unknown };
  };
  return {
    approvalId: data.approval.id,
    fingerprint: data.approval.fingerprint,
    payload: data.payload,
    idempotencyKey: `paths-${turn}`,
  };
}

const known = new Set<string>();

async function commitUntilWindow(commit: Record<string, unknown>): Promise<void> {
  const isShown = new Promise<void>((resolve) => (wake = resolve));
  void agent.call('svc_commit', commit, { signal: gone.signal }).catch(() => {});
  const id = await nextProposal(known);
  known.add(id);
  await handlers['proposals.review']({ id });
  await isShown;
}

async function tokenEndpoint(): Promise<string> {
  const answer = await fetch(new URL('/.well-known/oauth-authorization-server', endpoint.url));
  return ((await answer.json()) as { token_endpoint: string }).token_endpoint;
}

async function refreshToken(address: string): Promise<void> {
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: memory.tokens?.refresh_token ?? '',
    client_id: memory.client?.client_id ?? '',
  });
  const answer = await fetch(address, { method: 'POST', body });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  memory.tokens = (await answer.json()) as NonNullable<AgentMemory['tokens']>;
}

const bid = await filesOf(async (turn) => () => editBid(turn));
const window = await filesOf(async (turn) => {
  const commit = await prepared(turn);
  return () => commitUntilWindow(commit);
});
gone.abort();
const address = await tokenEndpoint();
const refresh = await filesOf(async () => () => refreshToken(address));

const paths: [string, string[], number][] = [
  ['a bid edit until the PUT and its ledger row', bid, 60],
  ['svc_commit until the window', window, 65],
  ['GET /login/campaigns/campaigns', listing, 15],
  ['a token refresh', refresh, 15],
];
const table = paths.map(([what, files, aim]) => [what, String(files.length), `at most ${aim}`]);
for (const line of textTable([['path', 'files', 'aim'], ...table], [1])) process.stdout.write(`${line}\n`);
if (process.argv.includes('--list')) {
  for (const [what, files] of paths)
    process.stdout.write(`\n${what}\n${files.map((file) => `  ${file}\n`).join('')}`);
}
await core.dispose();
await serving.kill();
await rm(dataFolder, { recursive: true, force: true });
