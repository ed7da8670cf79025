import { join } from 'node:path';
import { systemClock as clock } from '#core/platform/clock.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { openDatabase } from '#core/store/sqlite/open-database.ts';
import { authors, notes } from '#test/core/store/sqlite/synthetic-schema.ts';

/* A program that migrates a database from the tests' first schema to their second, and closes it. */
const [folder = ''] = process.argv.slice(2);
const file = join(folder, 'notes.sqlite');
await openDatabase({ file, migrations: [notes, authors], clock, logger }).dispose();
