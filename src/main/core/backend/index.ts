export { createBackend } from './create-backend.ts';
export type { Backend, BackendAddresses, BackendOptions } from './create-backend.ts';
export type { DemoCredential, DemoCredentials } from './demo-data/credentials.ts';
export type { Consent } from './oauth/interactions.ts';
export { createFaults } from './faults/faults.ts';
export type { Fault, FaultFilter, Faults } from './faults/faults.ts';
export type { LoggedRequest } from './http/request-log.ts';
export type { TenantId } from './tenants.ts';
