import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openGateway } from '#test/clients/gateway.ts';
import { responsesApi } from './model-apis.ts';
import {
  changeThrough,
  openAdmitted,
  outcomes,
  type ModelProgram,
  type ProgramSettings,
} from './outcomes.ts';
import { runInstalled } from './run-installed.ts';
import { openStubModel } from './stub-model.ts';

test('Codex adds the gateway by the command that the app shows, and is admitted by the user', async () => {
  const { url, browser, decided } = await openGateway();
  await runInstalled('codex', ['mcp', 'add', 'countersign', '--url', url], browser.env);
  expect(decided.map(({ operation, state }) => [operation, state])).toEqual([['agent.admit', 'verified']]);
  expect(await runInstalled('codex', ['mcp', 'list'], browser.env)).toContain(url);
});

/** Writes Codex’s settings. `required` makes it connect to the gateway before it asks the model. */
function writeSettings({ url, origin, env }: ProgramSettings): void {
  const folder = join(env['HOME'] ?? '', '.codex');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'config.toml'),
    `
model = "stub"
model_provider = "stub"
approval_policy = "never"
sandbox_mode = "read-only"
check_for_update_on_startup = false
analytics.enabled = false

[model_providers.stub]
name = "Stub"
base_url = "${origin}/v1"
wire_api = "responses"

[mcp_servers.countersign]
url = "${url}"
bearer_token_env_var = "AGENT_TOKEN"
required = true
tool_timeout_sec = 300
default_tools_approval_mode = "approve"
`,
  );
}

const exec = ['exec', '--skip-git-repo-check', '--ephemeral', 'Change the campaign.'];

const codex: ModelProgram = {
  api: responsesApi,
  converse(settings) {
    writeSettings(settings);
    return runInstalled('codex', exec, settings.env);
  },
};

test.each([
  ['as installed', [], 'initialize', '2025-06-18'],
  ['with its flag for 2026-07-28', ['--enable', 'mcp_2026_07_28'], 'server/discover', '2026-07-28'],
])('Codex %s connects, and its first call is answered', async (_how, flags, method, version) => {
  const { recorder, env } = await openAdmitted();
  const { origin } = await openStubModel(responsesApi, () => null);
  writeSettings({ url: recorder.url, origin, env });
  await runInstalled('codex', [...flags, ...exec], env);
  expect(recorder.calls[0]).toEqual({ method, version, status: 200 });
  expect(recorder.calls).toContainEqual({ method: 'tools/list', version, status: 200 });
});

test.each(Object.entries(outcomes))('the model behind Codex reads %s', async (_title, outcome) => {
  const { read, state } = await changeThrough(codex, outcome);
  for (const part of outcome.reads) expect(read).toContain(part);
  expect(state).toBe(outcome.state);
});
