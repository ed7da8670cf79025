export { createBackend, type Backend, type BackendAddresses, type BackendOptions } from './create-backend.ts';
export type { DemoCredential, DemoCredentials } from './demo-data/credentials.ts';
export type { Consent } from './open-remote-side.ts';
export { createFaults, type Fault, type FaultFilter, type Faults } from './faults/faults.ts';
export type { LoggedRequest } from './http/create-app.ts';
export type { TenantId } from './service.ts';
