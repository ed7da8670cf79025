import Database from 'better-sqlite3';
import { join } from 'node:path';
import { demoAccounts } from '#core/backend/demo-data/accounts.ts';
import { createBackend } from '#core/backend/index.ts';
import { systemClock } from '#core/platform/clock.ts';
import { createIds } from '#core/platform/ids.ts';
import { silentLogger } from '#core/platform/logger.ts';

/** Fills the Demo service of a new data folder ahead of the app, which does not wait for its core as long as many campaigns take. */
export async function fillDemoService(dataFolder: string, campaigns: number): Promise<void> {
  const service = createBackend({
    tenant: 'northwind',
    file: join(dataFolder, 'backend.sqlite'),
    consent: { kind: 'page' },
    clock: systemClock,
    ids: createIds(() => systemClock.nowMs()),
    logger: silentLogger,
    campaigns,
  });
  await service.dispose();
}

/** Gives a campaign to the neighbour: no client can do this; the service's operator can. */
export function giveCampaignAway(dataFolder: string, cid: number): void {
  const database = new Database(join(dataFolder, 'backend.sqlite'));
  try {
    const { uid } = demoAccounts('northwind').neighbour;
    database.prepare('UPDATE campaign SET uid = ? WHERE cid = ?').run(uid, cid);
  } finally {
    database.close();
  }
}

/** Pins another definition of a tool than the service offers, as if the service had changed it since. */
export function changePinnedTool(dataFolder: string, name: string): void {
  const database = new Database(join(dataFolder, 'countersign.sqlite'));
  try {
    database
      .prepare(
        `UPDATE tool_pin SET hash = ?, definition = json_set(definition, '$.description', 'As it was')
         WHERE name = ?`,
      )
      .run('0'.repeat(64), name);
  } finally {
    database.close();
  }
}

/** The service has given a tool these words from the beginning: they are pinned under the hash of what it offers. */
export function giveToolWords(
  dataFolder: string,
  name: string,
  words: { title: string; description: string },
): void {
  const database = new Database(join(dataFolder, 'countersign.sqlite'));
  try {
    const { title, description } = words;
    database
      .prepare(
        `UPDATE tool_pin SET definition = json_remove(json_set(definition, '$.title', ?, '$.description', ?), '$.annotations.title')
         WHERE name = ?`,
      )
      .run(title, description, name);
  } finally {
    database.close();
  }
}

/** The service has taken arguments of this tool from the beginning that its definition does not name. */
export function openToolArguments(dataFolder: string, name: string): void {
  const database = new Database(join(dataFolder, 'countersign.sqlite'));
  try {
    database
      .prepare(
        `UPDATE tool_pin SET definition = json_remove(definition, '$.inputSchema.additionalProperties')
         WHERE name = ?`,
      )
      .run(name);
  } finally {
    database.close();
  }
}

/** The service has prepared something under this approval, for every agent, in an answer that Countersign could not read further. */
export function rememberApproval(dataFolder: string, approvalId: string): void {
  const database = new Database(join(dataFolder, 'countersign.sqlite'));
  try {
    database
      .prepare(
        `INSERT INTO prepared_change (agent_id, approval_id, tool, body, expires_at_ms)
         SELECT id, ?, 'svc_prepare_task', '{}', ? FROM agent`,
      )
      .run(approvalId, systemClock.nowMs() + 3_600_000);
  } finally {
    database.close();
  }
}
