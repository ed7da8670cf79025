import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createAgentWorld, prepareBid } from '#test/core/proposals/tool-call/agent-world.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

test('measure', async () => {
  const folder = tempFolder();
  const world = await createAgentWorld({ folder, campaigns: 60 });
  for (let i = 0; i < 12; i += 1) {
    const { request } = await prepareBid(world, i % 2 === 0 ? 1.1 : 0.9);
    const { id } = await world.gate.agents.propose(request);
    expect(await world.approve(id)).toMatchObject({ state: 'verified' });
  }
  const db = new BetterSqlite3(join(folder, 'countersign.sqlite'), { readonly: true });
  console.log(
    db
      .prepare(
        `SELECT kind, count(*) n, avg(length(body)) body, avg(length(summary)) s, avg(length(body)+length(summary)+length(hash)*2+length(signature)+80) al FROM ledger GROUP BY kind`,
      )
      .all(),
  );
  console.log(
    db
      .prepare(
        `SELECT avg(length(payload)) payload, avg(length(base)) base, avg(length(origin)) origin, avg(length(progress)) progress FROM proposal`,
      )
      .get(),
  );
  console.log(db.prepare(`SELECT avg(length(answer)) answer FROM agent_call`).get());
  console.log(
    db
      .prepare(
        `SELECT name, sum(pgsize) s, sum(payload) p FROM dbstat GROUP BY name HAVING s > 4096 ORDER BY s DESC`,
      )
      .all(),
  );
  const row = (kind: string) => db.prepare('SELECT body FROM ledger WHERE kind = ?').pluck().get(kind);
  console.log(row('proposal.proposed'), row('proposal.shown'), String(row('write.verified')).slice(0, 900));
  console.log(db.prepare('SELECT origin FROM proposal').pluck().get());
  db.close();
}, 120000);
