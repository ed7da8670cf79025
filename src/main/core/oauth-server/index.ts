export { createAuthorizationServer, loadAuthorizationServer } from './create-authorization-server.ts';
export type {
  AccessGrant,
  AuthorizationRequest,
  AuthorizationServer,
  AuthorizationServerOptions,
  InteractionExchange,
  InteractionResult,
  InteractionStrategy,
  IssuedGrant,
  KnownClient,
  OAuthQuotas,
  RefusalPage,
  RefusalWords,
  ScopeDefinition,
  TokenLifetimes,
} from './authorization-server.ts';
