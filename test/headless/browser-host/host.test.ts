import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtPages } from '#headless/browser-host/built-pages.ts';
import { startBrowserHost, type BrowserHost } from '#headless/browser-host/start-browser-host.ts';
import {
  appApi,
  everyRow,
  proposalSchema,
  type AppRequest,
  type ProposalView,
} from '#shared/app-api/index.ts';
import { decisionResultSchema, type DecisionResult } from '#shared/host-api/index.ts';
import { page, readAddress, type PageClient } from './page.ts';
import { makePages } from './pages.ts';
import { eventually } from '#test/setup/eventually.ts';

/** The status of a decision that arrives before the buttons are armed. */
const tooEarly = 425;

let host: BrowserHost;
let app: PageClient;
const dataFolder = mkdtempSync(join(tmpdir(), 'countersign-host-'));
const rendererFolder = makePages();

beforeAll(async () => {
  host = await startBrowserHost({
    dataFolder,
    pages: builtPages(rendererFolder),
    version: '0.0.0',
    demoCampaigns: 30,
  });
  const { origin, ticket } = readAddress(host.address());
  app = page(origin, (await page(origin).post('/session', { ticket })).body.secret);
});
afterAll(async () => {
  await host.dispose();
  rmSync(dataFolder, { recursive: true });
  rmSync(rendererFolder, { recursive: true });
});

/** Sends a request to the core through its page, and checks the answer with the API's own schema. */
async function ask(name: AppRequest, input: unknown): Promise<unknown> {
  const { status, body } = await app.post(`/api/${name}`, input);
  expect({ name, status, error: body.error }).toEqual({ name, status: 200, error: undefined });
  return appApi[name].output.parse(body.output);
}

const filter = { query: '', status: 1, types: [], sort: 'cid', order: 'asc' };

async function proposePause(): Promise<ProposalView> {
  const { rows } = (await ask('campaigns.page', { filter, page: 1, perPage: 1 })) as {
    rows: { cid: number }[];
  };
  const proposal = await ask('campaigns.proposeStatus', { cids: [rows[0]?.cid], status: 3 });
  return proposalSchema.parse(proposal);
}

/** Opens the confirmation page of a proposal. The returned function approves at once, even if the buttons are not armed. */
async function confirm(id: string) {
  const { address } = (await ask('proposals.review', { id })) as { address: string };
  const { origin, ticket } = readAddress(address);
  const { body } = await page(origin).post('/session', { ticket });
  const { displayId, nonce, fingerprint } = body.display ?? { displayId: '', nonce: '', fingerprint: '' };
  const confirmation = page(origin, body.secret);
  expect((await confirmation.post('/confirmation/seen', { displayId, nonce })).status).toBe(200);
  const answer = { displayId, nonce, fingerprint, decision: 'approve', reason: null, typed: null };
  return () => confirmation.post('/confirmation/decide', answer);
}

async function decide(id: string) {
  const decideNow = await confirm(id);
  return eventually(async () => {
    const answer = await decideNow();
    expect(answer.status).not.toBe(tooEarly);
    return answer;
  });
}

function resultOf(answer: Awaited<ReturnType<typeof decide>>): DecisionResult {
  return decisionResultSchema.parse(answer.body.output);
}

describe('a change through the browser host', () => {
  test('is sent and verified after approval on its own page, and the ledger records the browser', async () => {
    const { id, targets } = await proposePause();
    const { proposal } = resultOf(await decide(id));
    expect(proposal.state).toBe('verified');
    const detail = await ask('campaigns.get', { cid: targets[0]?.cid });
    expect(detail).toMatchObject({ edit: { campaign: { status: 3 } } });
    expect(await ask('ledger.verify', {})).toMatchObject({ state: 'verified' });
    const filter = { ...everyRow, proposalId: id };
    const ledger = await ask('ledger.list', { beforeSeq: null, limit: 20, filter });
    expect(JSON.stringify(ledger)).toContain('"via":"browser"');
  });

  test('cannot be decided before the buttons are armed', async () => {
    const { id } = await proposePause();
    const answer = await (await confirm(id))();
    expect(answer).toMatchObject({ status: tooEarly, body: { error: { code: 'confirmation_too_early' } } });
    expect(await ask('proposals.get', { id })).toMatchObject({ state: 'shown' });
    await ask('proposals.withdraw', { id });
  });

  test('that is shown again leaves the earlier page without a valid secret', async () => {
    const { id } = await proposePause();
    const first = readAddress(((await ask('proposals.review', { id })) as { address: string }).address);
    await ask('proposals.review', { id });
    expect((await page(first.origin).post('/session', { ticket: first.ticket })).status).toBe(401);
    await ask('proposals.withdraw', { id });
  });
});

test('a host that starts again uses the same addresses unless another program took one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-ports-'));
  const options = {
    dataFolder: folder,
    pages: builtPages(rendererFolder),
    version: '0.0.0',
    demoCampaigns: 5,
  };
  const originOfOneStart = async (): Promise<string> => {
    const started = await startBrowserHost(options);
    const { origin } = readAddress(started.address());
    await started.dispose();
    return origin;
  };
  const first = await originOfOneStart();
  expect(await originOfOneStart()).toBe(first);
  const squatter = createServer().listen(Number(new URL(first).port), '127.0.0.1');
  await once(squatter, 'listening');
  expect(await originOfOneStart()).not.toBe(first);
  squatter.close();
  rmSync(folder, { recursive: true });
});

test('a host that cannot save its addresses for the next start still starts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-ports-'));
  mkdirSync(join(folder, 'browser-host.json'));
  const options = {
    dataFolder: folder,
    pages: builtPages(rendererFolder),
    version: '0.0.0',
    demoCampaigns: 5,
  };
  const started = await startBrowserHost(options);
  expect(started.address()).toContain('#ticket=');
  await started.dispose();
  rmSync(folder, { recursive: true });
});

test('a second host on the same data folder is refused, and the first continues', async () => {
  const second = startBrowserHost({ dataFolder, pages: builtPages(rendererFolder), version: '0.0.0' });
  await expect(second).rejects.toMatchObject({ code: 'data_folder_locked', data: { host: 'browser' } });
  expect(await ask('session.get', {})).toMatchObject({ host: 'browser', profile: { kind: 'demo' } });
});
