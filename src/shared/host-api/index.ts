export {
  armingDelayMs,
  decisionResultSchema,
  decisionSchema,
  seenSchema,
  showingSchema,
} from './confirmation.ts';
export type { ConfirmationPort, Confirmer, Decision, DecisionResult, Seen, Showing } from './confirmation.ts';
export { ticketSchema } from './ticket.ts';
