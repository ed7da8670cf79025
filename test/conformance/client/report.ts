import { argv, env, exit } from 'node:process';

// The suite's command: hands the scenario to the driver, and ends as it ended.
const [door = '', url = ''] = argv.slice(2);
const told = { url, scenario: env['MCP_CONFORMANCE_SCENARIO'] ?? '' };
const { ok } = await fetch(door, { method: 'POST', body: JSON.stringify(told) });
exit(ok ? 0 : 1);
