import { startAgent, type AgentMemory, type TestAgent } from '#test/servers/agent/agent.ts';
import { startChild } from '#test/servers/child.ts';
import type { CoreReport } from './core.ts';
import type { BenchService } from './service.ts';

/** A live service and a core with its gateway in front of the service, each in a process of its own. */
export interface Setting {
  /** The service's address as the core uses it. */
  service: BenchService;
  /**
   * A proxy that inspects nothing. With a latency, the core reaches the service through the proxy, which adds the latency;
   * otherwise the proxy is only measured for comparison.
   */
  bareProxy: { port: number };
  /** The address for agents. */
  url: string;
  /** Admits an agent. */
  agent(name: string): Promise<{ agent: TestAgent; token: string }>;
  report(): Promise<CoreReport>;
  end(): Promise<void>;
}

/** Starts the processes. The person admits `agents` agents; `awayMs` is the latency of the service. */
export async function openSetting(agents: number, awayMs = 0): Promise<Setting> {
  const gone = new AbortController();
  const serving = startChild(new URL('./service.ts', import.meta.url), []);
  const near = JSON.parse(await serving.line()) as BenchService;
  const proxy = startChild(new URL('./bare-proxy.ts', import.meta.url), [String(near.port), String(awayMs)]);
  const bareProxy = { port: Number(await proxy.line()) };
  const port = awayMs === 0 ? near.port : bareProxy.port;
  const service = { ...near, port, baseUrl: `http://127.0.0.1:${port}/api/v1` };
  const core = startChild(new URL('./core.ts', import.meta.url), [JSON.stringify(service), String(agents)]);
  const url = await core.line();
  return {
    service,
    bareProxy,
    url,
    async agent(name) {
      const memory: AgentMemory = {};
      const agent = await startAgent(url, { name, memory, signal: gone.signal }).agent;
      return { agent, token: memory.tokens?.access_token ?? '' };
    },
    async report() {
      process.kill(core.pid, 'SIGUSR2');
      return JSON.parse(await core.line()) as CoreReport;
    },
    async end() {
      gone.abort();
      for (const { pid, ended } of [core, proxy, serving]) {
        process.kill(pid, 'SIGTERM');
        await ended;
      }
    },
  };
}
