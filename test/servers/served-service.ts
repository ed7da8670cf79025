import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { tempFolder } from './temp-folder.ts';

/** The output of `countersign serve --print-credentials json`, with the members that tests use. */
export interface Served {
  addresses: { base_url: string; api_url: string; mcp_url: string };
  password: string;
  accounts: {
    part: string;
    login: string;
    uid: number;
    member_token: string;
    publisher_keys: { key: string; tids: readonly number[] }[];
  }[];
}

/** A live service: `countersign serve` in a process of its own, which ends with the test. */
export interface ServedProcess {
  served: Served;
  /** Returns the account with this role in the demo data. */
  account(part: string): Served['accounts'][number];
  /** From now on nothing is answered and connections hang, as after a loss of the network. */
  goAway(): void;
  comeBack(): void;
}

/** Starts a service with another tenant than Demo's. */
export async function startServedService(): Promise<ServedProcess> {
  const options = '--tenant meridian --campaigns 40 --days 30 --print-credentials json'.split(' ');
  const args = ['src/main/headless/index.ts', 'serve', ...options, '--data-folder', tempFolder()];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const served = JSON.parse(line) as Served;
  return {
    served,
    account(part) {
      const found = served.accounts.find((account) => account.part === part);
      if (found === undefined) throw new Error(`No server plays ${part}`);
      return found;
    },
    goAway: () => void child.kill('SIGSTOP'),
    comeBack: () => void child.kill('SIGCONT'),
  };
}
