import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a client asks of a person. Everything but the id comes from the client or its registration: foreign text. */
export interface AuthorizationRequest {
  /** Names this interaction in its addresses; a secret of the browser that began it. */
  id: string;
  clientId: string;
  clientName: string | null;
  redirectUri: string;
  /** As registered: with `refresh_token` its tokens can be renewed (RFC 7591 §2). */
  grantTypes: readonly string[];
  scopes: readonly string[];
  resource: string;
  expiresAtMs: number;
}

/** A person's answer. */
export type InteractionResult =
  { kind: 'granted'; subject: string; scopes: readonly string[] } | { kind: 'denied' };

/** One request of the browser below the address of an interaction. */
export interface InteractionExchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** The path of this interaction, without a slash at the end; forms post below it. */
  path: string;
  /** What follows that path, for example `` or `/sign-in`. */
  subpath: string;
  /** Ends the interaction, once, and sends the browser back to the client. */
  finish(result: InteractionResult): Promise<void>;
}

/** Why nobody can be asked, for a person to read. */
export interface RefusalWords {
  /** The word of the standards, for example `invalid_request`. */
  error: string;
  description: string;
}

/** A page that is sent as it stands. */
export interface RefusalPage {
  body: string;
  headers: Record<string, string>;
}

/** Who answers for a person: a page here, or the app's own window. */
export interface InteractionStrategy {
  /** Answers one request of the browser; an `AppError` that is thrown becomes a plain page. */
  handle(asked: AuthorizationRequest, exchange: InteractionExchange): Promise<void>;
  /** How a person sees that there is nothing to answer, or nothing any more; a plain page where this is missing. */
  refusalPage?(words: RefusalWords): RefusalPage;
}
