import type { AdapterPayload, ClientMetadata } from 'oidc-provider';
import type { KnownClient } from './authorization-server.ts';

/** A client as the checks see it. */
export interface Client {
  clientId: string;
  /** Foreign text. */
  clientName: string | null;
  redirectUris: readonly string[];
  grantTypes: readonly string[];
  /** A native app: an http address of it on the loopback is its own with any port (RFC 8252 §7.3). */
  anyLoopbackPort: boolean;
}

/** Known clients as the library takes them at its start. */
export function knownClientMetadata({ clientId, clientName, redirectUris }: KnownClient): ClientMetadata {
  const grantTypes = ['authorization_code', 'refresh_token'];
  const client = { clientId, clientName, redirectUris, grantTypes, anyLoopbackPort: false };
  return { ...metadataOf(client), client_id: clientId };
}

/** The stored metadata of a client, in the words of RFC 7591. The scope is left out: what was named at registration is no cap. */
export function metadataOf({
  clientName,
  redirectUris,
  grantTypes,
  anyLoopbackPort,
}: Client): AdapterPayload {
  return {
    ...(clientName === null ? {} : { client_name: clientName }),
    redirect_uris: redirectUris,
    grant_types: grantTypes,
    response_types: redirectUris.length > 0 ? ['code'] : [],
    token_endpoint_auth_method: 'none',
    // By this the library knows whether an address on the loopback matches with any port.
    application_type: anyLoopbackPort ? 'native' : 'web',
  };
}
