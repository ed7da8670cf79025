import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { openAppStore } from '#core/store/app/index.ts';
import type { World } from '../world.ts';

/**
 * Puts a write that a person approved down to an agent, as if the agent and not the person had proposed it; of another
 * campaign where one is named. Returns the id under which it stands then.
 */
export function asAgent(
  { folder, clock }: World,
  id: string,
  name: string,
  campaign?: { from: number; to: number },
): string {
  const store = openAppStore({ folder, clock, logger });
  const found = store.proposals.find(id);
  if (found === null) throw new Error(`There is no proposal ${id}`);
  const moved = (text: string): string =>
    campaign === undefined ? text : text.replaceAll(String(campaign.from), String(campaign.to));
  forget(folder, id);
  const ofAgent = `${id}-${name}`;
  store.proposals.insert({
    ...found,
    id: ofAgent,
    proposedBy: { kind: 'agent', name, sinceMs: 0, agentId: `agent-${name}` },
    targets: found.targets.map((cid) => (cid === campaign?.from ? campaign.to : cid)),
    payload: moved(found.payload),
    base: moved(found.base),
  });
  void store.dispose();
  return ofAgent;
}

/** Takes a person's own proposal out of the table. */
function forget(folder: string, id: string): void {
  const database = new BetterSqlite3(join(folder, 'countersign.sqlite'));
  try {
    database.prepare('DELETE FROM proposal_target WHERE proposal_id = ?').run(id);
    database.prepare('DELETE FROM proposal WHERE id = ?').run(id);
  } finally {
    database.close();
  }
}
