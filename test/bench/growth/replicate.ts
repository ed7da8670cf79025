import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { createLedger } from '#core/ledger/index.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { createSealer, createSecrets } from '#core/profiles/index.ts';
import { createPruning } from '#core/proposals/index.ts';
import { openAppStore, type AppStore, type StoredProposal } from '#core/store/app/index.ts';
import { everyRow } from '#shared/app-api/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

export interface GrowthPlan {
  /** A data folder with settled changes of which each is repeated in turn; nobody has it open. */
  folder: string;
  dataKey: Buffer;
  days: number;
  /** Changes are made, and details removed, once in so many days. */
  everyDays: number;
  changesAtOnce: number;
}

/** Bytes of the app's database that these changes take. */
export interface Growth {
  changes: number;
  /** Table and indexes of the ledger. */
  ledger: number;
  /** The whole file, without what it took before. */
  file: number;
  /** Of these, pages that nothing uses. */
  free: number;
}

const dayMs = 86_400_000;

/**
 * Repeats the changes that a data folder has day after day, through store, ledger and pruning as the program uses them, with the
 * usual time for which details are kept.
 */
export async function grow({ folder, dataKey, days, everyDays, changesAtOnce }: GrowthPlan): Promise<Growth> {
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
  const repeats = known.map((proposal) => repeatOf(proposal, { store, append: ledger.append }));
  let changes = 0;
  for (let day = 0; day < days; day += everyDays) {
    store.transaction(() => {
      const stages: (() => void)[][] = [];
      for (let one = 0; one < changesAtOnce; one += 1) {
        stages.push(repeats[changes % repeats.length]?.(changes, nowMs) ?? []);
        changes += 1;
      }
      // Changes overlap: several are proposed before the first one is decided.
      const longest = Math.max(...stages.map(({ length }) => length));
      for (let stage = 0; stage < longest; stage += 1) for (const each of stages) each[stage]?.();
    });
    nowMs += everyDays * dayMs;
    await pruning.run();
  }
  await pruning.dispose();
  await ledger.dispose();
  await store.dispose();
  const after = sizes(folder);
  return {
    changes,
    ledger: after.ledger - before.ledger,
    file: after.file - before.file,
    free: after.free,
  };
}

/** Writes one settled change again, under an id as long as a real one. */
function repeatOf(
  proposal: StoredProposal,
  { store, append }: { store: AppStore; append: ReturnType<typeof createLedger>['append'] },
): (number: number, atMs: number) => (() => void)[] {
  const call = store.agentCalls.find(proposal.id);
  const filter = { ...everyRow, proposalId: proposal.id };
  const { rows } = store.ledger.page({ beforeSeq: null, limit: 50, filter });
  const entries = rows.toReversed().map(({ kind, actor, via, summary, body }) => ({
    kind,
    actor,
    via,
    summary,
    body: JSON.parse(body) as JsonObject,
  }));
  return (number, atMs) => {
    const id = `${proposal.id.slice(0, -8)}${String(number).padStart(8, '0')}`;
    store.proposals.insert({ ...proposal, id, createdAtMs: atMs, updatedAtMs: atMs, intentAtMs: atMs });
    if (call !== null) {
      const idempotencyKey = `${call.idempotencyKey ?? ''}-${number}`;
      store.agentCalls.insert({ ...call, proposalId: id, idempotencyKey });
      if (call.answer !== null) store.agentCalls.answer(id, call.answer);
    }
    return entries.map((entry) => () => void append({ ...entry, proposalId: id }));
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
