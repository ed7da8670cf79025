import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { createLedger } from '#core/ledger/index.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { createSealer, createSecrets } from '#core/profiles/index.ts';
import { createPruning } from '#core/proposals/index.ts';
import { openAppStore, type AppStore, type StoredProposal } from '#core/store/app/index.ts';
import { everyRow } from '#shared/app-api/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

export interface GrowthPlan {
  /** A data folder with settled changes, which are repeated in turn. No process may have it open. */
  folder: string;
  dataKey: Buffer;
  days: number;
  /** The changes are spread evenly over the day. Details are pruned once a day. */
  changesADay: number;
  /** The profile and the agent that the repeated changes belong to. */
  profileId: string;
  agentId: string;
}

/** Bytes of the app's database that the changes take. */
export interface Growth {
  changes: number;
  /** Growth of the whole file per change while the details of all changes are still kept. */
  eachWithDetails: number;
  /** Table and indexes of the ledger. */
  ledger: number;
  /** Growth of the whole file. */
  file: number;
  /** Unused pages within `file`. */
  free: number;
}

const dayMs = 86_400_000;

/** The default retention of details and copies. */
const keptDays = 30;

/**
 * Repeats the changes of a data folder day after day through the program's own store, ledger and pruning, with the default
 * retention of details.
 */
export async function grow(plan: GrowthPlan): Promise<Growth> {
  const { folder, dataKey, days, changesADay } = plan;
  let nowMs = Date.now();
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs, after: () => () => {} };
  const onChange = (): void => {};
  const store = openAppStore({ folder, clock, logger });
  const keys = createSecrets({ store, sealer: createSealer(dataKey) });
  const ledger = createLedger({ store, keys, clock, logger, onChange });
  const neededOf = (): ReadonlySet<string> => new Set();
  const pruning = createPruning({ store, ledger, neededOf, clock, logger, onChange });
  const before = sizes(folder);
  const known = store.proposals.page({ which: 'settled', before: null, limit: 50 }).proposals;
  const repeats = known
    .flatMap(({ id }) => store.proposals.find(id) ?? [])
    .map((proposal) => repeatOf(proposal, plan, { store, append: ledger.append }));
  let changes = 0;
  let eachWithDetails = 0;
  for (let day = 1; day <= days; day += 1) {
    // One commit for the whole day is faster. The rows and their order are the same as with one commit per change.
    store.transaction(() => {
      for (; changes < day * changesADay; changes += 1) {
        nowMs += dayMs / changesADay;
        repeats[changes % repeats.length]?.(changes, nowMs);
      }
    });
    if (day === keptDays) eachWithDetails = (sizes(folder).file - before.file) / changes;
    store.campaignCopies.prune({ beforeMs: nowMs - keptDays * dayMs, max: Number.MAX_SAFE_INTEGER });
    await pruning.run();
  }
  await pruning.dispose();
  await ledger.dispose();
  await store.dispose();
  const after = sizes(folder);
  return {
    changes,
    eachWithDetails,
    ledger: after.ledger - before.ledger,
    file: after.file - before.file,
    free: after.free,
  };
}

/** Writes a settled change of an agent again, under ids as long as real ones. */
function repeatOf(
  original: StoredProposal,
  { profileId, agentId }: GrowthPlan,
  { store, append }: { store: AppStore; append: ReturnType<typeof createLedger>['append'] },
): (number: number, atMs: number) => void {
  const call = store.agentCalls.find(original.id);
  const filter = { ...everyRow, proposalId: original.id };
  const { rows } = store.ledger.page({ beforeSeq: null, limit: 50, filter });
  const entries = rows.toReversed().map(({ kind, actor, via, summary, body }) => {
    const facts = JSON.parse(body) as JsonObject;
    const agent = 'agent' in facts ? { agent: agentId } : {};
    return {
      kind,
      actor,
      via,
      summary: sentence`${ownWords(summary)}`,
      body: { ...facts, ...agent, profile: profileId },
    };
  });
  const proposal = {
    ...original,
    profile: { ...original.profile, id: profileId },
    proposedBy: { ...original.proposedBy, agentId },
  };
  const [cid = 0] = original.targets;
  const { account } = original.profile;
  const [copy] = store.campaignCopies.of({ profileId: original.profile.id, account }, cid);
  if (copy === undefined) throw new Error(`Campaign ${cid} has no copy from before its change`);
  const body = canonicalJson(copy.campaign);
  return (number, atMs) => {
    const day = new Date(atMs).toISOString().slice(0, 10);
    store.campaignCopies.keep({ profileId, account }, cid, { day, atMs, body });
    const id = `${atMs.toString(36).padStart(9, '0')}${original.id.slice(9)}`;
    store.proposals.insert({ ...proposal, id, createdAtMs: atMs, updatedAtMs: atMs, intentAtMs: atMs });
    if (call !== null) {
      const idempotencyKey = `${call.idempotencyKey ?? ''}-${number}`;
      store.agentCalls.insert({ ...call, agentId, proposalId: id, idempotencyKey });
      if (call.answer !== null) store.agentCalls.answer(id, call.answer);
    }
    for (const entry of entries) append({ ...entry, proposalId: id });
  };
}

function sizes(folder: string): { ledger: number; file: number; free: number } {
  const db = new BetterSqlite3(join(folder, 'countersign.sqlite'), { readonly: true });
  const number = (sql: string): number => Number(db.prepare(sql).pluck().get());
  const pageSize = number('PRAGMA page_size');
  const measured = {
    ledger: number(
      `SELECT sum(pgsize) FROM dbstat WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name = 'ledger')`,
    ),
    file: pageSize * number('PRAGMA page_count'),
    free: pageSize * number('PRAGMA freelist_count'),
  };
  db.close();
  return measured;
}
