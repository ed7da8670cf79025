/** The releases of the suite that the client is tested with. */
const releases = ['@modelcontextprotocol/conformance', 'conformance-next'] as const;

export type Release = (typeof releases)[number];

export type Revision = '2025-11-25' | '2026-07-28';

const both: readonly Revision[] = ['2025-11-25', '2026-07-28'];

/** A client scenario that contradicts the contract or the design of Countersign. */
export interface ExcludedScenario {
  scenario: string;
  /** The releases and protocol revisions for which the scenario runs and fails. */
  releases: readonly Release[];
  revisions: readonly Revision[];
  /** The line of the service's contract or of the design that contradicts the scenario, quoted. */
  line: string;
  /** The behaviour that the scenario asks for. */
  asks: string;
}

const [stable, next] = releases;

/** The only scenarios that may fail. Each of them must fail: a scenario that passes must leave the list. */
export const excludedClientScenarios: readonly ExcludedScenario[] = [
  {
    scenario: 'elicitation-sep1034-client-defaults',
    releases: [stable, next],
    revisions: ['2025-11-25'],
    line: 'Design, MCP surfaces: “Never use elicitation as the approval channel: hosts answer it without showing it.”',
    asks: 'that the client answers a question of the service with its defaults, without a person',
  },
  {
    scenario: 'auth/basic-cimd',
    releases: [stable, next],
    revisions: both,
    line: 'Contract §5.3, Client registration: “dynamic, with exact redirect URIs”. Design, OAuth: “no client-ID metadata documents”.',
    asks: 'for the address of a document in place of a registered client id',
  },
  {
    scenario: 'auth/scope-from-scopes-supported',
    releases: [stable, next],
    revisions: both,
    line: 'Contract §5.3, Scopes: “svc:read: read tools (the default when scope is omitted)”; svc:write and svc:upload are added when a tool needs them.',
    asks: 'for every scope that the service knows, from the start',
  },
  {
    scenario: 'auth/scope-omitted-when-undefined',
    releases: [stable, next],
    revisions: both,
    line: 'Contract §5.3, Flow 4: “Open the authorization URL with state, resource, scopes and challenge.”',
    asks: 'for no scope at all where the service names none',
  },
  {
    scenario: 'auth/token-endpoint-auth-basic',
    releases: [stable, next],
    revisions: both,
    line: 'Contract §5.3, Client type: “public; token_endpoint_auth_method=none”.',
    asks: 'for a confidential client (client_secret_basic)',
  },
  {
    scenario: 'auth/token-endpoint-auth-post',
    releases: [stable, next],
    revisions: both,
    line: 'Contract §5.3, Client type: “public; token_endpoint_auth_method=none”.',
    asks: 'for a confidential client (client_secret_post)',
  },
  {
    scenario: 'auth/pre-registration',
    releases: [stable, next],
    revisions: both,
    line: 'Contract §5.3, Client type and Client registration: “public”, “dynamic”.',
    asks: 'for a confidential client with an id and a secret from elsewhere',
  },
  {
    scenario: 'auth/metadata-var2',
    releases: [next],
    revisions: both,
    line: 'Contract §5.3: “The `resource` parameter is mandatory in authorization-code requests and equals the full origin plus path /mcp.”',
    asks: 'for the bare origin as the resource (the rest of the scenario passes)',
  },
  {
    scenario: 'auth/client-credentials-jwt',
    releases: [next],
    revisions: both,
    line: 'Contract §5.3, Grant types: “authorization_code, refresh_token”.',
    asks: 'for the client_credentials grant',
  },
  {
    scenario: 'auth/client-credentials-basic',
    releases: [next],
    revisions: both,
    line: 'Contract §5.3, Grant types: “authorization_code, refresh_token”.',
    asks: 'for the client_credentials grant',
  },
  {
    scenario: 'auth/enterprise-managed-authorization',
    releases: [next],
    revisions: both,
    line: 'Contract §5.3, Grant types: “authorization_code, refresh_token”.',
    asks: 'for token exchange and the jwt-bearer grant',
  },
  {
    scenario: 'auth/wif-jwt-bearer',
    releases: [next],
    revisions: both,
    line: 'Contract §5.3, Grant types: “authorization_code, refresh_token”.',
    asks: 'for the jwt-bearer grant',
  },
  {
    scenario: 'auth/dpop',
    releases: [next],
    revisions: both,
    line: 'Contract §4.3: “POST /mcp request headers: `Authorization: Bearer <ACCESS_TOKEN>`”.',
    asks: 'for tokens that are bound to a key of the client',
  },
  {
    scenario: 'auth/dpop-nonce',
    releases: [next],
    revisions: both,
    line: 'Contract §4.3: “POST /mcp request headers: `Authorization: Bearer <ACCESS_TOKEN>`”.',
    asks: 'for tokens that are bound to a key of the client',
  },
];
