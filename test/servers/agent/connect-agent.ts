import { onTestFinished } from 'vitest';
import { startAgent, type AgentOptions, type ComingAgent } from './agent.ts';

/** An agent that is gone when the test is over. */
export function connectAgent(address: string, options: Omit<AgentOptions, 'signal'> = {}): ComingAgent {
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  return startAgent(address, { ...options, signal: gone.signal });
}
