#!/usr/bin/env node
import { nodeRefusal } from './node-version.ts';

const refusal = nodeRefusal(process.versions.node);
if (refusal === null) {
  // Only now: what this loads includes better-sqlite3.
  const { main } = await import('./cli/program.ts');
  process.exitCode = await main(process.argv.slice(2));
} else {
  process.stderr.write(`${refusal}\n`);
  process.exitCode = 1;
}
