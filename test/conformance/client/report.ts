import { argv, env, exit } from 'node:process';

// The suite's command: hands the scenario to the driver, and ends as it ended.
const [endpoint = '', url = ''] = argv.slice(2);
const context = JSON.parse(env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as { toolCalls?: unknown };
const reported = {
  url,
  scenario: env['MCP_CONFORMANCE_SCENARIO'] ?? '',
  toolCalls: context.toolCalls ?? null,
};
const { ok } = await fetch(endpoint, { method: 'POST', body: JSON.stringify(reported) });
exit(ok ? 0 : 1);
