export { defaultBodyBytes, readBody } from './body.ts';
export { headerValues } from './guards.ts';
export { openLoopbackListener } from './listener.ts';
export type { LoopbackHandler, LoopbackListener, LoopbackOptions } from './listener.ts';
