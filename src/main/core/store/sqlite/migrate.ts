import type { Logger } from '#core/platform/logger.ts';
import type { Database } from './database.ts';
import { schemaNumber } from './inspect.ts';
import { runTransaction } from './transaction.ts';

/** One step of a schema. Numbers count from 1 without gaps; a released step is never edited. */
export interface Migration {
  number: number;
  /** For people, for example `ledger and settings`. */
  name: string;
  /** Runs inside the step's transaction. */
  up(db: Database): void;
}

/** The schema that the migrations lead to. A gap or a wrong order is a bug and throws. */
export function newestSchema(migrations: readonly Migration[]): number {
  migrations.forEach(({ number, name }, index) => {
    if (number !== index + 1) throw new Error(`Migration ${number} (${name}) is out of order`);
  });
  return migrations.length;
}

/** Brings the file to the newest schema, each step in one transaction of its own. */
export function migrate(db: Database, migrations: readonly Migration[], logger: Logger): void {
  const from = schemaNumber(db);
  for (const { number, name, up } of migrations.slice(from)) {
    runTransaction(db, () => {
      up(db);
      db.pragma(`user_version = ${number}`);
    });
    logger.info({ migration: number, name }, 'The database schema moved on');
  }
}
