import { argv, env, exit } from 'node:process';

// The suite's command: hands the scenario to the driver, and ends as it ended.
const [endpoint = '', url = ''] = argv.slice(2);
const reported = { url, scenario: env['MCP_CONFORMANCE_SCENARIO'] ?? '' };
const { ok } = await fetch(endpoint, { method: 'POST', body: JSON.stringify(reported) });
exit(ok ? 0 : 1);
