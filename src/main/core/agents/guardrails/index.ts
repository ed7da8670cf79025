export { createGuardrails } from './guardrails.ts';
export type { GuardrailDesk } from './guardrails.ts';
