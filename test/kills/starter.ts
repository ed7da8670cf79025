import { openLogFile } from '#core/platform/logger.ts';
import { composeUnattended } from '#test/servers/unattended-core.ts';
import { demoCampaigns } from './next-start.ts';

/*
 * A program that starts a core on a data folder and ends it when it is ready, unless it is killed first. Arguments: the data
 * folder and the data key. Prints `ready`.
 */
const [folder = '', dataKey = ''] = process.argv.slice(2);

const core = await composeUnattended({
  dataFolder: folder,
  dataKey: Buffer.from(dataKey, 'hex'),
  demoCampaigns,
  logger: openLogFile(folder).logger,
});
console.log('ready');
await core.dispose();
