export { createPrepareAgain } from './calls/prepared.ts';
export { createGateway } from './gateway.ts';
export type { Gateway } from './gateway.ts';
