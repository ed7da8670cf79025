export { setUpConfirmation } from './set-up-confirmation.ts';
export type { Confirmation, ConfirmationOptions } from './set-up-confirmation.ts';
