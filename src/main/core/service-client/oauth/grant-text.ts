import { z } from 'zod';
import type { Grant, RegisteredClient } from './grant.ts';

const grantSchema = z.strictObject({
  issuer: z.string(),
  clientId: z.string(),
  resource: z.string(),
  accessToken: z.string().min(1),
  refreshToken: z.string().min(1).nullable(),
  scopes: z.array(z.string()),
  expiresAtMs: z.number().nullable(),
  signedInAtMs: z.number(),
});

const clientSchema = z.strictObject({
  issuer: z.string(),
  clientId: z.string().min(1),
  redirectUri: z.string(),
});

/** A grant as a text, for stores that keep texts; null stands for one that has ended. */
export function writeGrant(grant: Grant | null): string {
  return JSON.stringify(grant ?? { ended: true });
}

/** The reverse of {@link writeGrant}. A text that is no grant is one that has ended: only a new sign-in helps. */
export function readGrant(text: string): Grant | null {
  return grantSchema.safeParse(parsed(text)).data ?? null;
}

/** A client as a text. */
export function writeClient(client: RegisteredClient): string {
  return JSON.stringify(client);
}

/** The reverse of {@link writeClient}; null for any other text: then Countersign registers anew. */
export function readClient(text: string): RegisteredClient | null {
  return clientSchema.safeParse(parsed(text)).data ?? null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
