#!/usr/bin/env node
import { nodeRefusal } from './node-version.ts';

const refusal = nodeRefusal(process.versions.node);
// Only a command that has done its work ends with 0: one that ends in any other way has not said how.
process.exitCode = 1;
if (refusal === null) {
  // Only now: what this loads includes better-sqlite3.
  void import('./cli/program.ts').then(async ({ main }) => {
    process.exitCode = await main(process.argv.slice(2));
  });
} else {
  process.stderr.write(`${refusal}\n`);
}
