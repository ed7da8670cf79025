/** Starts a core on the folder of its first argument and prints how that went: `started`, or the failure as a host gets it. */
import { composeCore } from '#core/compose/compose.ts';
import { verifyLedgerFile } from '#core/ledger/index.ts';
import { encodeError } from '#shared/errors/index.ts';

const [folder = ''] = process.argv.slice(2);
const say = (name: string, value: unknown): void => console.log(JSON.stringify({ [name]: value }));

try {
  const core = await composeCore({
    dataFolder: folder,
    host: 'terminal',
    version: '0.0.0',
    dataKey: Buffer.alloc(32, 7),
    confirmer: { via: 'terminal', show: async () => ({ address: null }), hide() {} },
    demoCampaigns: 20,
  });
  await core.dispose();
  say('start', 'started');
} catch (failure) {
  say('start', encodeError(failure));
}
try {
  say('verify', (await verifyLedgerFile(`${folder}/countersign.sqlite`)).state);
} catch (failure) {
  say('verify', encodeError(failure));
}
