import { z } from 'zod';
import { AppError, parseStrictJson } from '#shared/errors/index.ts';
import { foreignWords, quotation } from '../foreign-words.ts';

const refusalSchema = z.object({
  error: z.string(),
  error_description: z.string().optional().catch(undefined),
});

/** How an authorization server refuses, in its own words (RFC 6749 §5.2, RFC 7591 §3.2.2). */
export interface OAuthRefusal {
  /** The `error` for programs; empty where the answer names none. Inert. */
  error: string;
  /** A sentence for people, with the server's words as a quotation; empty where there are none. */
  says: string;
}

/** Reads a refusing body; one that is none says nothing. `conceal` blanks what the request carried. */
export function readRefusal(text: string, conceal = (words: string): string => words): OAuthRefusal {
  let value;
  try {
    value = parseStrictJson(text);
  } catch {
    return { error: '', says: '' };
  }
  const { data } = refusalSchema.safeParse(value);
  if (data === undefined) return { error: '', says: '' };
  const { error, error_description: description } = data;
  return refusalIn(conceal(error), description === undefined ? description : conceal(description));
}

/** The refusal in these two words, wherever they came from. */
export function refusalIn(error: string, description: string | null | undefined): OAuthRefusal {
  const words = description?.trim() ? description : error;
  return { error: foreignWords(error), says: words === '' ? '' : ` The service says: ${quotation(words)}` };
}

/** What a server calls a client that it does not know, or not any more (RFC 6749 §4.1.2.1, §5.2). */
const clientUnknown: readonly unknown[] = ['invalid_client', 'unauthorized_client'];

/** True for a failure whose `data.error` says that the server does not know the client: another registration may help. */
export function tellsClientUnknown(failure: unknown): boolean {
  return failure instanceof AppError && clientUnknown.includes(failure.data['error']);
}
