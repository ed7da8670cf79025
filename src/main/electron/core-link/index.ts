export type { CoreProcess, StartCoreProcess } from './core-process.ts';
export { createSupervisor } from './supervisor.ts';
export type { CoreSupervisor, SupervisorOptions } from './supervisor.ts';
export { systemCore } from './system-core.ts';
