import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { SampleAgentView } from '#shared/app-api/index.ts';

/** The agent in the box: scripted, no model, a real MCP client that comes in through the gateway like any other. */
export interface SampleAgent extends AsyncDisposable {
  get(): SampleAgentView;
  /** Connects, waits to be let in, and proposes; what runs already goes on. */
  start(): SampleAgentView;
  stop(): SampleAgentView;
}

export interface SampleAgentOptions {
  /** Where agents connect. */
  url(): string;
  clock: Clock;
  logger: Logger;
  onChange(): void;
}

export function createSampleAgent(_options: SampleAgentOptions): SampleAgent {
  const view: SampleAgentView = { state: 'off', steps: [] };
  return { get: () => view, start: () => view, stop: () => view, async dispose() {} };
}
