export { bearerToken } from './requests.ts';
export { commonHeaders } from './guards.ts';
export { defaultBodyBytes, readBody } from './requests.ts';
export { headerValues } from './guards.ts';
export { bodyJsonLimits, parseJsonBody, requireJsonType } from './requests.ts';
export { isPortTaken, openOnStablePort, storedPort } from './stable-port.ts';
export { openLoopbackListener } from './listener.ts';
export type { LoopbackHandler, LoopbackListener, LoopbackOptions } from './listener.ts';
export type { LoopbackLimits } from './limits.ts';
