export { createAuthorizationServer } from './create-authorization-server.ts';
export type {
  AccessGrant,
  AuthorizationServer,
  AuthorizationServerOptions,
  IssuedGrant,
  KnownClient,
  OAuthQuotas,
  ScopeDefinition,
  TokenLifetimes,
} from './authorization-server.ts';
export type {
  AuthorizationRequest,
  InteractionExchange,
  InteractionResult,
  InteractionStrategy,
  RefusalPage,
  RefusalWords,
} from './interaction.ts';
