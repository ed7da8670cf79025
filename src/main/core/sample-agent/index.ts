export { createSampleAgent } from './sample-agent.ts';
export type { SampleAgent, SampleAgentOptions } from './sample-agent.ts';
export type { Script } from './choose-changes.ts';
