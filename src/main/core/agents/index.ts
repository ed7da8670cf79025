export { createAgents } from './agents.ts';
export type { Agents } from './agents.ts';
export { createFreeze } from './freeze.ts';
export type { Freeze } from './freeze.ts';
export { createGuardrails, type GuardrailSettings } from './guardrails/guardrails.ts';
export { createRefusedAttempts, type FailedWrite, type RefusedAttempts } from './refused-attempts.ts';
export { createEmergencyStop, type EmergencyStop } from './emergency-stop/emergency-stop.ts';
export {
  createPinCheck,
  createToolPins,
  pinnedTool,
  type PinnedTool,
  type ToolPinOptions,
  type ToolPins,
} from './tool-pins/tool-pins.ts';
