/**
 * Runs a service in the folder of its first argument, fills the disk under it, writes until a write fails, and frees space
 * again. Prints one JSON line per step. The last line lists the acknowledged writes.
 */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createBackend } from '#core/backend/index.ts';
import { systemClock } from '#core/platform/clock.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger } from '#core/platform/logger.ts';

const [folder = ''] = process.argv.slice(2);
const say = (step: object): void => void process.stdout.write(`${JSON.stringify(step)}\n`);

const backend = createBackend({
  tenant: 'northwind',
  file: join(folder, 'backend.sqlite'),
  campaigns: 5,
  days: 2,
  consent: { kind: 'page' },
  clock: systemClock,
  ids: createIds(() => systemClock.nowMs()),
  logger: silentLogger,
});
const { apiUrl, baseUrl } = await backend.listen();
const { memberToken, publisherKeys } = backend.issueDemoCredentials();
const grant = await backend.issueRemoteGrant({ account: 'buyer', scopes: ['svc:read'] });
const member = { authorization: `Bearer ${memberToken}` };
const campaigns = `${baseUrl}/login/campaigns`;
const [{ key } = { key: '' }] = publisherKeys;
// This report is answered once all statistics are made.
await fetch(`${apiUrl}/publisher/search-report?token=${key}&date_from=2026-01-01&date_to=2026-01-01`);

const list = (await (await fetch(`${campaigns}/campaigns`, { headers: member })).json()) as {
  data: { data: { cid: number }[] };
};
const cid = list.data.data[0]?.cid ?? 0;
const read = async (): Promise<Record<string, unknown>> => {
  const answer = await fetch(`${campaigns}/${cid}`, { headers: member });
  const { data } = (await answer.json()) as { data: { campaign: Record<string, unknown> } };
  return data.campaign;
};
const campaign = await read();

async function rename(name: string): Promise<number> {
  const answer = await fetch(`${campaigns}/${cid}`, {
    method: 'PUT',
    headers: { ...member, 'content-type': 'application/json' },
    // Long filters make every write take new pages.
    body: JSON.stringify({ ...campaign, name, keywords_whitelist: 'w'.repeat(20_000) }),
  });
  await answer.text();
  return answer.status;
}

async function statuses(): Promise<Record<string, number>> {
  const [health, ready, page, refresh] = await Promise.all([
    fetch(`${apiUrl}/health`),
    fetch(`${apiUrl}/ready`),
    fetch(`${campaigns}/campaigns`, { headers: member }),
    fetch(`${apiUrl}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: grant.clientId,
        refresh_token: 'unknown',
        resource: `${apiUrl}/mcp`,
      }),
    }),
  ]);
  return { health: health.status, ready: ready.status, list: page.status, refresh: refresh.status };
}

/** The service checks the disk for readiness once a second. */
async function untilReady(status: number): Promise<void> {
  while ((await fetch(`${apiUrl}/ready`)).status !== status) await setTimeout(20);
}

say({ step: 'sound', ...(await statuses()) });
const ballast = join(folder, 'ballast');
const descriptor = openSync(ballast, 'w');
try {
  for (;;) writeSync(descriptor, Buffer.alloc(16_384));
} catch {
  // The disk is full.
}
closeSync(descriptor);

let acknowledged = String(campaign['name']);
let status = 200;
for (let write = 1; status === 200 && write <= 200; write += 1) {
  status = await rename(`write ${write}`);
  if (status === 200) acknowledged = `write ${write}`;
}
await untilReady(503);
say({ step: 'full', write: status, ...(await statuses()) });
say({ step: 'kept', isKept: (await read())['name'] === acknowledged });

rmSync(ballast);
await untilReady(200);
say({ step: 'room', write: await rename('after'), ...(await statuses()) });
await backend.dispose();
