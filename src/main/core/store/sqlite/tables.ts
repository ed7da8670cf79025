import BetterSqlite3 from 'better-sqlite3';
import { AppError } from '#shared/errors/index.ts';
import type { Database } from './database.ts';
import { schemaRange, type Migration } from './migrate.ts';

/** The columns of each table, by its name. */
type Tables = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Refuses a database whose tables are not those that the migrations up to its schema number make: `schema_incomplete`,
 * naming what is missing, or what a later migration would find there already. Tables of other names are left alone.
 */
export function refuseOtherTables(db: Database, migrations: readonly Migration[], schema: number): void {
  const found = tablesOf(db);
  const [now = new Map(), newest = new Map()] = tablesAt(migrations, [
    schema,
    schemaRange(migrations).newest,
  ]);
  const missing = firstMissing(now, found);
  if (missing !== null) throw incomplete(db, `lacks ${missing}, which its schema number ${schema} has`);
  const early = [...newest.keys()].find((name) => !now.has(name) && found.has(name));
  if (early !== undefined)
    throw incomplete(db, `has the table ${early}, which its schema number ${schema} lacks`);
}

function firstMissing(expected: Tables, found: Tables): string | null {
  for (const [name, columns] of expected) {
    const present = found.get(name);
    if (present === undefined) return `the table ${name}`;
    const column = [...columns].find((one) => !present.has(one));
    if (column !== undefined) return `the column ${column} of the table ${name}`;
  }
  return null;
}

function incomplete({ name }: Database, what: string): AppError {
  const message = `The tables of a database are not those of its schema number: ${name} ${what}.`;
  return new AppError('schema_incomplete', { message, data: { file: name } });
}

/** The tables that the migrations up to each of these numbers make, smallest number first. */
function tablesAt(migrations: readonly Migration[], schemas: readonly number[]): Tables[] {
  const db = new BetterSqlite3(':memory:');
  try {
    let done = 0;
    return schemas.map((schema) => {
      for (const { number, up } of migrations) if (number > done && number <= schema) up(db);
      done = schema;
      return tablesOf(db);
    });
  } finally {
    db.close();
  }
}

function tablesOf(db: Database): Tables {
  const columns = db.prepare<[], { table: string; column: string }>(
    `SELECT tables.name AS "table", columns.name AS "column"
     FROM pragma_table_list AS tables, pragma_table_xinfo(tables.name) AS columns
     WHERE tables.schema = 'main' AND tables.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
  );
  const tables = new Map<string, Set<string>>();
  for (const { table, column } of columns.all()) {
    const known = tables.get(table) ?? new Set();
    tables.set(table, known.add(column));
  }
  return tables;
}
