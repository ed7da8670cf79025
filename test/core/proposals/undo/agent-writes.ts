import { join } from 'node:path';
import { changeFile } from '#test/servers/stored-rows.ts';
import { withStore } from '#test/servers/stores.ts';
import type { World } from '../world.ts';

/**
 * Stores a write that a person approved as if an agent had proposed it, optionally for another campaign. Returns the id of
 * the stored write.
 */
export function asAgent(
  { folder }: World,
  id: string,
  name: string,
  campaign?: { from: number; to: number },
): string {
  const found = withStore(folder, ({ proposals }) => proposals.find(id));
  if (found === null) throw new Error(`There is no proposal ${id}`);
  const moved = (text: string): string =>
    campaign === undefined ? text : text.replaceAll(String(campaign.from), String(campaign.to));
  forget(folder, id);
  const ofAgent = `${id}-${name}`;
  withStore(folder, ({ proposals }) =>
    proposals.insert({
      ...found,
      id: ofAgent,
      proposedBy: { kind: 'agent', name, sinceMs: 0, agentId: `agent-${name}` },
      targets: found.targets.map((cid) => (cid === campaign?.from ? campaign.to : cid)),
      payload: moved(found.payload),
      base: moved(found.base),
    }),
  );
  return ofAgent;
}

function forget(folder: string, id: string): void {
  changeFile(join(folder, 'countersign.sqlite'), (db) => {
    db.prepare('DELETE FROM proposal_target WHERE proposal_id = ?').run(id);
    db.prepare('DELETE FROM proposal WHERE id = ?').run(id);
  });
}
