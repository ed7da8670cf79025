export { createPrepareAgain } from './calls/prepare-again.ts';
export { createGateway } from './gateway.ts';
export type { Gateway } from './gateway.ts';
