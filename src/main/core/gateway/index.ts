export { createGateway } from './gateway.ts';
export type { Gateway } from './gateway.ts';
