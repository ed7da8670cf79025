import { onTestFinished } from 'vitest';
import { startAgent, type AgentOptions, type ComingAgent } from './agent.ts';

/** Connects an agent, which ends with the test. */
export function connectAgent(address: string, options: Omit<AgentOptions, 'signal'> = {}): ComingAgent {
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  return startAgent(address, { ...options, signal: gone.signal });
}
