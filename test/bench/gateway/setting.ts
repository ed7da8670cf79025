import { startAgent, type AgentMemory, type TestAgent } from '#test/servers/agent/agent.ts';
import { startChild } from '#test/servers/child.ts';
import type { CoreReport } from './core.ts';
import type { BenchService } from './service.ts';

/** A live service, and a core with its gateway in front of it, each in a process of its own. */
export interface Setting {
  service: BenchService;
  /** Where agents connect. */
  url: string;
  /** Lets an agent in. */
  agent(name: string): Promise<{ agent: TestAgent; token: string }>;
  report(): Promise<CoreReport>;
  end(): Promise<void>;
}

/** With a person who lets so many agents in. */
export async function openSetting(agents: number): Promise<Setting> {
  const gone = new AbortController();
  const serving = startChild(new URL('./service.ts', import.meta.url), []);
  const line = await serving.line();
  const core = startChild(new URL('./core.ts', import.meta.url), [line, String(agents)]);
  const url = await core.line();
  return {
    service: JSON.parse(line) as BenchService,
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
      process.kill(core.pid, 'SIGTERM');
      await core.ended;
      process.kill(serving.pid, 'SIGTERM');
      await serving.ended;
    },
  };
}
