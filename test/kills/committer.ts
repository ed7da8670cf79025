import { writeSync } from 'node:fs';
import { campaignWrites } from '#core/backend/operations/campaign-writes.ts';
import { createOperations } from '#core/backend/operations/operations.ts';
import type { WriteKind } from '#core/backend/operations/write-kind.ts';
import { systemClock } from '#core/platform/clock.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import {
  commitOf,
  openService,
  principalOf,
  quietContext,
  type Prepared,
} from '#test/core/backend/operations/open-service.ts';

/*
 * A program that prepares and commits changes of status through the tools until it is killed. Arguments: the database, and
 * the moment of death: `apply` (the campaign is written, the transaction is not committed), `verify` (the transaction is
 * committed, the answer is not sent), `random` (the parent kills). Prints `commit <arguments>` before every commit, and `ack
 * <key>` after it.
 */
const [file = '', point = 'random'] = process.argv.slice(2);

// Writes at once, so that the parent reads every acknowledgement, however this process ends.
const say = (line: string): void => void writeSync(1, `${line}\n`);
const die = (): void => void process.kill(process.pid, 'SIGKILL');

const service = openService(file, { clock: systemClock, campaigns: 20 });
const who = principalOf(service);
const { tools, prepare } = createOperations(service, campaignWrites(service).map(deadly));
const commit = tools.find(({ name }) => name === 'svc_commit');
const { rows } = service.store.read.list({
  uid: who.member.uid,
  match: { kind: 'all' },
  status: null,
  types: [],
  sort: 'cid',
  order: 'asc',
  offset: 0,
  limit: 8,
});
const cids = rows.map((row) => (JSON.parse(row) as { cid: number }).cid);

for (let turn = 0; ; turn += 1) {
  const cid = cids[turn % cids.length] ?? 0;
  const status = service.store.read.statuses(who.member.uid, [cid]).get(cid) === 2 ? 3 : 2;
  const args = { ids: [cid], status };
  const prepared = prepare(who, { kind: 'campaign_status', args }) as unknown as Prepared;
  const request = commitOf(prepared);
  say(`commit ${JSON.stringify(request)}`);
  await commit?.run(who, request, quietContext);
  say(`ack ${String(request['idempotencyKey'])}`);
}

/** Returns the kind of write with a kill of the process at the chosen moment. */
function deadly(kind: WriteKind): WriteKind {
  return {
    ...kind,
    apply(principal, payload: JsonObject, staged) {
      kind.apply(principal, payload, staged);
      if (point === 'apply') die();
    },
    verify(principal, payload) {
      if (point === 'verify') die();
      return kind.verify(principal, payload);
    },
  };
}
