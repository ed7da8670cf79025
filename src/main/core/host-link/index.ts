export { runCoreProcess, serveHost } from './serve-host.ts';
export type { ComposeServed, CoreOverrides, HostLink, LinkLogs, ServeHostOptions } from './serve-host.ts';
export type { HostPort } from './host-port.ts';
