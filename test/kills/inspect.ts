import { join } from 'node:path';
import { verifyLedgerFile } from '#core/ledger/index.ts';
import { unpackText } from '#core/store/app/packed-text.ts';
import { integrityOf, readFile, readRows, type StoredFile } from '#test/servers/stored-rows.ts';
import type { Acknowledged } from './lane.ts';

/** A write with a recorded intent, in the order of the ledger. */
interface Intent {
  seq: number;
  cid: number;
  name: string;
  state: string;
}

/** Returns every problem of a data folder after a kill; empty if there is none. Needs no secret. */
export async function problemsOf(folder: string, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const stored = readFile(join(folder, 'backend.sqlite'), storedNames);
  return [
    ...(await damageOf(folder)),
    ...readFile(join(folder, 'countersign.sqlite'), (app) => [
      ...doubledKeys(app),
      ...missingCopies(app),
      ...writeProblems(intentsOf(app), { stored, verified: verifiedIds(app), acknowledged }),
    ]),
  ];
}

/** Returns the problems of a ledger that does not verify, and of databases with broken pages. */
export async function damageOf(folder: string): Promise<string[]> {
  const report = await verifyLedgerFile(join(folder, 'countersign.sqlite'));
  const chain = report.state === 'verified' ? [] : [`ledger: ${report.state}, ${report.problem?.text ?? ''}`];
  return [...chain, ...['countersign.sqlite', 'backend.sqlite'].flatMap((name) => brokenPages(folder, name))];
}

/** Counts the proposals of a folder by their final state. */
export function countStates(folder: string): Record<string, number> {
  const rows = readRows<{ state: string; count: number }>(
    join(folder, 'countersign.sqlite'),
    "SELECT state, count(*) AS count FROM proposal WHERE operation <> 'agent.admit' GROUP BY state",
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

interface Stored {
  /** The names that the service has stored, by campaign. */
  stored: ReadonlyMap<number, string>;
  /** Proposals with a row `write.verified`. */
  verified: ReadonlySet<string>;
  acknowledged: readonly Acknowledged[];
}

function writeProblems(intents: readonly Intent[], { stored, verified, acknowledged }: Stored): string[] {
  const seqOf = new Map(intents.map(({ cid, name, seq }) => [`${cid} ${name}`, seq]));
  const lastAcknowledged = new Map(acknowledged.map((write) => [write.cid, write]));
  return [
    ...acknowledged
      .filter(({ proposalId }) => !verified.has(proposalId))
      .map(({ name }) => `${name} was acknowledged and has no verdict in the ledger`),
    ...[...stored].flatMap(([cid, name]) => {
      const seq = seqOf.get(`${cid} ${name}`);
      if (name.startsWith('kill-') && seq === undefined) return [`${name} is stored and has no intent`];
      const last = lastAcknowledged.get(cid);
      const lastSeq = last && seqOf.get(`${cid} ${last.name}`);
      if (last === undefined || (seq ?? 0) >= (lastSeq ?? Infinity)) return [];
      return [`${last.name} was acknowledged and ${name} is stored`];
    }),
    ...intents
      .filter(({ cid, name, state }) => state === 'refused' && stored.get(cid) === name)
      .map(({ name }) => `${name} is stored and was called not stored`),
  ];
}

function intentsOf(app: StoredFile): Intent[] {
  const rows = app.prepare<[], { seq: number; payload: string; details: Buffer | null; state: string }>(
    `SELECT ledger.seq AS seq, proposal.payload AS payload, proposal.details AS details, proposal.state AS state
     FROM ledger JOIN proposal ON proposal.id = ledger.proposal_id WHERE ledger.kind = 'write.intent' ORDER BY seq`,
  );
  return rows.all().map(({ seq, payload, details, state }) => {
    const { cid, name } = campaignIn(JSON.parse(details === null ? payload : payloadIn(details)) as Sent);
    return { seq, cid, name, state };
  });
}

function payloadIn(details: Buffer): string {
  const [payload = ''] = JSON.parse(unpackText(details)) as string[];
  return payload;
}

interface Sent {
  cid: number;
  name: string;
  arguments?: { payload: Pick<Sent, 'cid' | 'name'> };
}

function campaignIn(sent: Sent): Pick<Sent, 'cid' | 'name'> {
  return sent.arguments?.payload ?? sent;
}

/** Returns idempotency keys with more than one intended write. */
function doubledKeys(app: StoredFile): string[] {
  const keys = app
    .prepare<[], string>(
      `SELECT agent_call.idempotency_key FROM ledger
       JOIN agent_call ON agent_call.proposal_id = ledger.proposal_id
       WHERE ledger.kind = 'write.intent' GROUP BY agent_call.idempotency_key HAVING count(*) > 1`,
    )
    .pluck();
  return keys.all().map((key) => `${key} was sent more than once`);
}

/**
 * Returns campaigns with an intended write but without a copy of their previous state. The copy is stored in the transaction
 * of the intent.
 */
function missingCopies(app: StoredFile): string[] {
  const kept = new Set(app.prepare<[], number>('SELECT cid FROM campaign_copy').pluck().all());
  return (
    intentsOf(app)
      // The admission of an agent concerns no campaign.
      .filter(({ cid }) => Number.isInteger(cid) && !kept.has(cid))
      .map(({ cid, name }) => `campaign ${cid} has no copy from before ${name}`)
  );
}

function verifiedIds(app: StoredFile): Set<string> {
  const rows = app
    .prepare<[], string>("SELECT proposal_id FROM ledger WHERE kind = 'write.verified'")
    .pluck();
  return new Set(rows.all());
}

function storedNames(service: StoredFile): Map<number, string> {
  const rows = service.prepare<[], { cid: number; name: string }>(
    "SELECT cid, json_extract(json, '$.name') AS name FROM campaign_payload",
  );
  return new Map(rows.all().map(({ cid, name }) => [cid, name]));
}

function brokenPages(folder: string, name: string): string[] {
  const result = integrityOf(join(folder, name));
  return result === 'ok' ? [] : [`${name}: ${result}`];
}
