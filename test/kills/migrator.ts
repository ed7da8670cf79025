import { join } from 'node:path';
import { systemClock as clock } from '#core/platform/clock.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { openAppStore } from '#core/store/app/index.ts';
import { openBackendStore } from '#core/store/backend/index.ts';

/* A program that opens both databases of a data folder, which brings them to the newest schema, and closes them. */
const [folder = ''] = process.argv.slice(2);

const app = openAppStore({ folder, clock, logger });
const backend = openBackendStore({ file: join(folder, 'backend.sqlite'), clock, logger });
await backend.dispose();
await app.dispose();
