#!/usr/bin/env node
import { nodeRefusal } from './node-version.ts';

const refusal = nodeRefusal(process.versions.node);
// Failure by default: only a command that has completed sets 0.
process.exitCode = 1;
if (refusal === null) {
  // Loaded only after the check of Node, because this loads better-sqlite3.
  void import('./cli/program.ts').then(async ({ main }) => {
    process.exitCode = await main(process.argv.slice(2));
  });
} else {
  process.stderr.write(`${refusal}\n`);
}
