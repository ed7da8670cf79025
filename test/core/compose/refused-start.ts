/** Starts a core on the folder of its first argument and prints the result: `started`, or the failure as a host gets it. */
import { verifyLedgerFile } from '#core/ledger/index.ts';
import { encodeError } from '#shared/errors/index.ts';
import { composeUnattended } from '#test/servers/unattended-core.ts';

const [folder = ''] = process.argv.slice(2);
const say = (name: string, value: unknown): void => console.log(JSON.stringify({ [name]: value }));

try {
  const core = await composeUnattended({ dataFolder: folder, demoCampaigns: 20 });
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
