// The suite's command: hands the scenario to the driver, and ends as it ended.
const [door = '', url = ''] = process.argv.slice(2);
const told = { url, scenario: process.env['MCP_CONFORMANCE_SCENARIO'] ?? '' };
const { ok } = await fetch(door, { method: 'POST', body: JSON.stringify(told) });
process.exitCode = ok ? 0 : 1;

export {};
