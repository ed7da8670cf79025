import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { connectAgent } from '../servers/agent/connect-agent.ts';
import { gatewayPortIn } from '../servers/stored-rows.ts';
import { tempFolder } from '../servers/temp-folder.ts';

/** Runs a program with a policy in the administrator's own folder. The program and its children see another `/etc`. */
const withPolicy = `
  mount -t tmpfs tmpfs /etc
  mkdir -m 755 /etc/countersign
  printf '%s' "$POLICY" > /etc/countersign/policy.json
  chmod 644 /etc/countersign/policy.json
  exec "$@"`;

async function start(policy: string, dataFolder: string): Promise<string> {
  const command = ['src/main/headless/index.ts', 'open', '--no-open', '--data-folder', dataFolder];
  const apart = ['--mount', '--propagation', 'private', 'sh', '-ec', withPolicy, 'sh', process.execPath];
  const child = spawn('unshare', [...apart, ...command], {
    env: { PATH: process.env['PATH'], HOME: tempFolder(), POLICY: policy },
    stdio: 'ignore',
  });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  });
  await expect.poll(() => portIn(dataFolder)).toBeGreaterThan(0);
  return `http://127.0.0.1:${portIn(dataFolder)}/mcp`;
}

function portIn(dataFolder: string): number {
  try {
    return gatewayPortIn(dataFolder) ?? 0;
  } catch {
    return 0;
  }
}

test.each([
  ['stops agents while it cannot be used', '{"agents":"no"}', 'All agents are stopped'],
  ['lets them ask for admission when it can', '{"guardrails":{"maxCampaigns":5}}', 'Sample'],
])(
  'the administrator’s policy in its system folder %s, whatever --data-folder names',
  async (_does, policy, words) => {
    for (const dataFolder of [tempFolder(), tempFolder()]) {
      const { page } = connectAgent(await start(policy, dataFolder), { name: 'Sample' });
      expect(await page).toContain(words);
    }
  },
);
