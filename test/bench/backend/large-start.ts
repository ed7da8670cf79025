import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectRoot } from '../../../scripts/lib/run-tool.ts';
import type { Served } from '#test/servers/served-service.ts';

/** Times of one start of `countersign serve`; `cpu` is processor time of its process, which other programs change least. */
export interface LargeStart {
  firstStart: Times;
  start: Times;
  firstList: Times;
  filteredList: Times;
  residentMb: number;
  /** A start with 400 campaigns. */
  smallStart: Times;
}

interface Times {
  wallMs: number;
  cpuMs: number;
}

const rounds = 9;
const sizes = { large: 100_000, small: 400 };

/** Starts the built command with a new folder, then several times with its folder. Returns medians, on Linux only. */
export async function measureLargeStart(): Promise<LargeStart | null> {
  if (process.platform !== 'linux') return null;
  const folder = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
  try {
    const first = await startOnce(folder, 'large');
    await startOnce(folder, 'small');
    const starts = [];
    const small = [];
    // In turn, so that both meet the same load of the machine.
    for (let round = 0; round < rounds; round += 1) {
      starts.push(await startOnce(folder, 'large'));
      small.push(await startOnce(folder, 'small'));
    }
    return {
      firstStart: first.start,
      start: medians(starts.map(({ start }) => start)),
      firstList: medians(starts.map(({ firstList }) => firstList)),
      filteredList: medians(starts.map(({ filteredList }) => filteredList)),
      residentMb: median(starts.map(({ residentMb }) => residentMb)),
      smallStart: medians(small.map(({ start }) => start)),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function startOnce(folder: string, size: keyof typeof sizes) {
  const options = ['--campaigns', String(sizes[size]), '--print-credentials', 'json'];
  const startedAtMs = performance.now();
  const args = ['out/main/countersign.cjs', 'serve', ...options, '--data-folder', join(folder, size)];
  const child = spawn(process.execPath, args, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'inherit'] });
  const pid = child.pid ?? -1;
  try {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const start = { wallMs: performance.now() - startedAtMs, cpuMs: cpuMsOf(pid) };
    const { addresses, accounts } = JSON.parse(line) as Served;
    const headers = {
      authorization: `Bearer ${accounts.find(({ part }) => part === 'buyer')?.member_token}`,
    };
    const ask = async (path: string): Promise<Times> => {
      const [beforeMs, cpuBeforeMs] = [performance.now(), cpuMsOf(pid)];
      const answer = await fetch(`${addresses.base_url}/login/campaigns/${path}`, { headers });
      await answer.arrayBuffer();
      return { wallMs: performance.now() - beforeMs, cpuMs: cpuMsOf(pid) - cpuBeforeMs };
    };
    // Loads the client of this process and opens the connection.
    await ask('0');
    const firstList = await ask('campaigns?perPage=100');
    const residentMb = residentMbOf(pid);
    return { start, firstList, residentMb, filteredList: await ask('campaigns?status=1&perPage=100') };
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

const clockTickMs = 10;

function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * clockTickMs;
}

function residentMbOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
}

function medians(times: readonly Times[]): Times {
  return {
    wallMs: median(times.map(({ wallMs }) => wallMs)),
    cpuMs: median(times.map(({ cpuMs }) => cpuMs)),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
