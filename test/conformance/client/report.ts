import { argv, env, exit } from 'node:process';

// The command that the suite runs: hands the scenario to the driver and exits with the driver's result.
const [endpoint = '', url = ''] = argv.slice(2);
const context = JSON.parse(env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as { toolCalls?: unknown };
const reported = {
  url,
  scenario: env['MCP_CONFORMANCE_SCENARIO'] ?? '',
  toolCalls: context.toolCalls ?? null,
};
const { ok } = await fetch(endpoint, { method: 'POST', body: JSON.stringify(reported) });
exit(ok ? 0 : 1);
