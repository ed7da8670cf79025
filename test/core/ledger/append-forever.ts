import { randomBytes } from 'node:crypto';
import { createLedger } from '#core/ledger/index.ts';
import { systemClock as clock } from '#core/platform/clock.ts';
import { silentLogger as logger } from '#core/platform/logger.ts';
import { createSealer, createSecrets } from '#core/profiles/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { openAppStore } from '#core/store/app/index.ts';
import { sentence } from '#shared/lib/sentence.ts';

/**
 * Appends ledger rows: the arguments are the data folder, the number of rows, and the length of text in each row. Prints the
 * number of every acknowledged row. Ends with the error code at the first failure.
 */
const [folder = '', count = '1', length = '10'] = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  const store = openAppStore({ folder, clock, logger });
  const keys = createSecrets({ store, sealer: createSealer(randomBytes(32)) });
  const ledger = createLedger({ store, keys, clock, logger, onChange: () => {} });
  for (let number = 1; number <= Number(count); number += 1) {
    const { seq } = store.transaction(() =>
      ledger.append({
        kind: 'test',
        proposalId: null,
        actor: 'You',
        via: null,
        summary: sentence`Row ${number}`,
        body: { text: '.'.repeat(Number(length)) },
      }),
    );
    say(String(seq));
  }
  await ledger.dispose();
  await store.dispose();
} catch (failure) {
  say(failure instanceof AppError ? failure.code : String(failure));
}
