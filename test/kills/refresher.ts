import { writeSync } from 'node:fs';
import { createGrantStores } from '#core/connections/index.ts';
import { systemClock as clock } from '#core/platform/clock.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { createCredentials, createSealer } from '#core/profiles/index.ts';
import { createAccess, type GrantStore } from '#core/service-client/index.ts';
import { openAppStore } from '#core/store/app/index.ts';

/*
 * A program that refreshes its access repeatedly until it is killed. Arguments: the data folder, the data key, the service,
 * and the moment of death: `lease` (the lease is on the disk, the request was not sent), `answer` (the answer has arrived,
 * the new tokens are not on the disk), `saved` (the tokens are on the disk but were not used), `outside` (the parent kills).
 * Prints `used <access token>` for every token that it got.
 */
const [folder = '', dataKey = '', mcpUrl = '', point = ''] = process.argv.slice(2);

// Writes at once, so that the parent reads every line, however this process ends.
const say = (line: string): void => void writeSync(1, `${line}\n`);
const die = (): void => void process.kill(process.pid, 'SIGKILL');

const store = openAppStore({ folder, clock, logger });
const credentials = createCredentials({ store, sealer: createSealer(Buffer.from(dataKey, 'hex')) });
const grants = deadly(createGrantStores({ store, credentials, clock })('live'));
const access = createAccess({ mcpUrl, store: grants, clock, logger, timeoutMs: 20_000 });

for (let token = await access.token(); ; token = await access.renew(token)) say(`used ${token}`);

function deadly(whole: GrantStore): GrantStore {
  const { lease, save } = whole;
  return Object.assign(whole, {
    lease() {
      lease();
      if (point === 'lease') die();
    },
    save(grant: Parameters<typeof save>[0]) {
      if (point === 'answer') die();
      save(grant);
      if (point === 'saved') die();
    },
  });
}
