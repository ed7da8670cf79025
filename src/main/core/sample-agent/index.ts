export { connect, type Connection, createLogin, fetchWithOneRefresh, type ToolAnswer } from './connection.ts';
export { commitWrite } from './run.ts';
export { createSampleAgent, type SampleAgent, type SampleAgentOptions } from './sample-agent.ts';
export type { PreparedWrite, Script } from './ideas.ts';
export { pause, waitForRedirect, wordsOn } from './waiting-browser.ts';
