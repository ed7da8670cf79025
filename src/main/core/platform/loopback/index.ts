export { bearerToken } from './bearer-token.ts';
export { commonHeaders } from './answers.ts';
export { defaultBodyBytes, readBody } from './body.ts';
export { headerValues } from './guards.ts';
export { bodyJsonLimits, parseJsonBody, requireJsonType } from './json-body.ts';
export { openLoopbackListener } from './listener.ts';
export type { LoopbackHandler, LoopbackListener, LoopbackOptions } from './listener.ts';
export type { LoopbackLimits } from './limits.ts';
