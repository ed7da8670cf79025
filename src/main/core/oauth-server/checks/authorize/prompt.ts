import { refuse } from '../refuse.ts';
import type { AuthorizationCheck } from './asked.ts';

/** What a client may ask for; a person is asked in any case. */
const prompts = new Set(['login', 'consent', 'select_account']);

/** A person is always asked, so `none` cannot be met; words that nobody knows are refused. */
export const checkPrompt: AuthorizationCheck = ({ parameters: { values } }) => {
  const asked = values.get('prompt');
  if (asked === undefined) return;
  if (asked === 'none') refuse('oauth_interaction_required');
  if (!asked.split(' ').every((prompt) => prompts.has(prompt))) {
    refuse('oauth_invalid_request', 'The `prompt` is not known.');
  }
};
