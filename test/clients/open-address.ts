import { argv, env } from 'node:process';

/** Replaces a browser: hands the address that a client opens to the test that waits for it. */
const [, , address = ''] = argv;
await fetch(env['COUNTERSIGN_TEST_BROWSER'] ?? '', { method: 'POST', body: address });
