import { AppError } from '#shared/errors/index.ts';
import { usualFormats } from '#shared/lib/formats.ts';
import { quotedStart } from '#shared/lib/inert-text.ts';
import type { Database } from '../sqlite/index.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';

/** The ids of a row, and of the row that it names. */
interface RowLink {
  from: string;
  to: string;
}

/**
 * Refuses a database whose rows contradict each other, with `rows_contradict`, which names the first ones and counts them: no start and no
 * restore goes on with rows that no version of this app writes together.
 */
export function refuseContradictions(db: Database): void {
  const links = (sql: string): RowLink[] => db.prepare<[], RowLink>(sql).all();
  const found = [
    ...inCircle(links(successors)).map(
      ({ from, to }) => `the proposals ${id(from)} and ${id(to)} replace each other`,
    ),
    ...inCircle(links(undos)).map(
      ({ from, to }) => `the proposals ${id(from)} and ${id(to)} undo each other`,
    ),
    ...links(openAndReplaced).map(
      ({ from, to }) => `the proposal ${id(from)} is open, and ${id(to)} replaces it`,
    ),
    ...links(nestedBatches).map(({ from, to }) => `the batch ${id(from)} lists the batch ${id(to)}`),
    ...links(sharedMembers).map(
      ({ from, to }) => `the proposal ${id(from)} is in the open batch ${id(to)} and in another one`,
    ),
    ...orphans(db),
  ];
  const [first] = found;
  if (first === undefined) return;
  const message = sentence`Stored rows contradict each other, ${ownWords(usualFormats.counted(found.length, 'time'))}: ${ownWords(found.slice(0, maxNamed).join('; '))}.`;
  throw new AppError('rows_contradict', { message, data: { file: db.name, count: found.length } });
}

/** Contradictions that a message names. */
const maxNamed = 3;

/** Ids come from a file that anyone may have edited. */
const id = (text: string): string => quotedStart(text, 40);

// As the index of the migration 13 spells it.
const replacedBy = `json_extract(iif(json_valid(progress), progress, '{}'), '$.replacedBy')`;

const successors = `SELECT id AS "from", ${replacedBy} AS "to" FROM proposal WHERE ${replacedBy} IS NOT NULL`;

const undos = `SELECT id AS "from", json_extract(origin, '$.undoes.id') AS "to" FROM proposal
  WHERE json_extract(origin, '$.undoes.id') IS NOT NULL`;

const openAndReplaced = `${successors} AND state IN ('proposed', 'shown', 'approved', 'intent', 'sent')`;

const members = `proposal AS batch,
  json_each(iif(json_valid(batch.payload), batch.payload, '{}'), '$.members') AS member
  WHERE batch.operation = 'batch'`;

const nestedBatches = `SELECT batch.id AS "from", other.id AS "to"
  FROM proposal AS other, ${members} AND other.id = member.value ->> 'id' AND other.operation = 'batch'`;

const sharedMembers = `SELECT member.value ->> 'id' AS "from", min(batch.id) AS "to" FROM ${members}
  AND batch.state IN ('proposed', 'shown') GROUP BY 1 HAVING count(*) > 1`;

/** Links that are part of a circle. */
function inCircle(links: readonly RowLink[]): RowLink[] {
  const next = new Map(links.map(({ from, to }) => [from, to]));
  /** Rows from which every walk is known to end. */
  const ending = new Set<string>();
  const found: RowLink[] = [];
  for (const start of [...next.keys()].toSorted()) {
    const way = new Set<string>();
    let at: string | undefined = start;
    while (at !== undefined && !way.has(at) && !ending.has(at)) {
      way.add(at);
      at = next.get(at);
    }
    if (at !== undefined && way.has(at)) found.push({ from: at, to: next.get(at) ?? at });
    for (const one of way) ending.add(one);
  }
  return found;
}

/** Rows with a foreign key that no row has. */
function orphans(db: Database): string[] {
  const rows = db.pragma('foreign_key_check') as { table: string; parent: string }[];
  return rows.map(({ table, parent }) => `a row of ${table} names a row of ${parent} that is absent`);
}
