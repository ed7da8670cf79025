export type { AgentSurface, SurfaceOptions } from './agent-surface.ts';
export { createAgentSurface } from './create-agent-surface.ts';
