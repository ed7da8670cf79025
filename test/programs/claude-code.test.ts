import { expect, test } from 'vitest';
import { openGateway } from '#test/clients/gateway.ts';
import { messagesApi } from './model-apis.ts';
import { changeThrough, openAdmitted, outcomes, type ModelProgram } from './outcomes.ts';
import { runInstalled } from './run-installed.ts';

const add = (url: string): string[] => ['mcp', 'add', '--transport', 'http', 'countersign', url];
const status = (env: Record<string, string>): Promise<string> =>
  runInstalled('claude', ['mcp', 'get', 'countersign'], env);

test('Claude Code adds the gateway by the command that the app shows, signs in, and is admitted by the user', async () => {
  const { url, browser, decided } = await openGateway();
  await runInstalled('claude', add(url), browser.env);
  const before = await status(browser.env);
  expect(before).toContain(url);
  expect(before).toContain('Needs authentication');
  const signIn = ['-qefc', 'claude mcp login countersign', '/dev/null'];
  await runInstalled('script', signIn, { ...browser.env, TERM: 'xterm' });
  expect(decided.map(({ operation, state }) => [operation, state])).toEqual([['agent.admit', 'verified']]);
  expect(await status(browser.env)).toContain('Connected');
});

test('Claude Code asks for revision 2026-07-28, is answered, and uses that revision from then on', async () => {
  const { recorder, env } = await openAdmitted();
  const header = ['--header', 'Authorization: Bearer ${AGENT_TOKEN}'];
  await runInstalled('claude', [...add(recorder.url), ...header], env);
  expect(await status(env)).toContain('Connected');
  expect(recorder.calls[0]).toEqual({ method: 'server/discover', version: '2026-07-28', status: 200 });
  for (const call of recorder.calls) expect(call).toMatchObject({ version: '2026-07-28', status: 200 });
});

const claudeCode: ModelProgram = {
  api: messagesApi,
  converse({ url, origin, env }) {
    const headers = { Authorization: 'Bearer ${AGENT_TOKEN}' };
    const servers = { mcpServers: { countersign: { type: 'http', url, headers } } };
    const gatewayOnly = ['--strict-mcp-config', '--tools', '', '--allowedTools', 'mcp__countersign'];
    return runInstalled(
      'claude',
      ['--print', 'Change the campaign.', '--mcp-config', JSON.stringify(servers), ...gatewayOnly],
      { ...env, ANTHROPIC_BASE_URL: origin, ANTHROPIC_API_KEY: 'none' },
    );
  },
};

test.each(Object.entries(outcomes))('the model behind Claude Code reads %s', async (_title, outcome) => {
  const { read, state } = await changeThrough(claudeCode, outcome);
  for (const part of outcome.reads) expect(read).toContain(part);
  expect(state).toBe(outcome.state);
});
