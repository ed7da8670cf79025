export { connect } from './connection.ts';
export type { Connection, ToolAnswer } from './connection.ts';
export { createLogin, fetchWithOneRefresh } from './connection.ts';
export { commitWrite } from './run.ts';
export type { PreparedWrite } from './run.ts';
export { createSampleAgent } from './sample-agent.ts';
export type { SampleAgent, SampleAgentOptions } from './sample-agent.ts';
export type { Script } from './ideas.ts';
export { pause, waitForRedirect, wordsOn } from './waiting-browser.ts';
