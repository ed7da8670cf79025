import { composeCore } from '#core/compose/compose.ts';
import { openLogFile } from '#core/platform/logger.ts';
import { demoCampaigns } from './next-start.ts';

/*
 * A program that starts a core on a data folder and ends it as soon as it is ready, unless it is killed first. Arguments: the
 * data folder and the data key. Prints `ready`.
 */
const [folder = '', dataKey = ''] = process.argv.slice(2);

const core = await composeCore({
  dataFolder: folder,
  host: 'terminal',
  version: '0.0.0',
  dataKey: Buffer.from(dataKey, 'hex'),
  confirmer: { via: 'terminal', show: async () => ({ address: null }), hide() {} },
  demoCampaigns,
  logger: openLogFile(folder).logger,
});
console.log('ready');
await core.dispose();
