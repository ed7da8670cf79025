/** One demo account. */
export interface ServedAccount {
  /** What it plays in the demo data, for example `buyer`. */
  part: string;
  /** What the sign-in page asks for, besides the password. */
  login: string;
  uid: number;
  name: string;
  purpose: string;
  /** For `{base_url}`, 12 hours. */
  member_token: string;
  /** For `{api_url}`, as long as this process lives. */
  publisher_keys: {
    key: string;
    scopes: readonly string[];
    tids: readonly number[];
    feeds: readonly number[];
  }[];
}

/** A grant of the remote tools, made without the sign-in page. */
export interface ServedGrant {
  login: string;
  client_id: string;
  access_token: string;
  refresh_token: string;
  /** Of the access token, in seconds. */
  expires_in: number;
  scope: string;
}

/** One call that works as it stands, in a POSIX shell. */
export interface Example {
  /** A stable word for programs, for example `list_campaigns`. */
  name: string;
  /** What it asks for, in a few words. */
  title: string;
  command: string;
}

/**
 * Everything that a running `countersign serve` tells, and the document of `--print-credentials json`. Members may be added,
 * never renamed or removed.
 */
export interface ServedService {
  tenant: string;
  addresses: {
    base_url: string;
    api_url: string;
    mcp_url: string;
    mcp: string;
    protected_resource_metadata: string;
    authorization_server_metadata: string;
    token: string;
    health: string;
    ready: string;
  };
  /** Opens every account on the sign-in page, as long as this process lives. */
  password: string;
  accounts: ServedAccount[];
  mcp_access: ServedGrant;
  /** Whether member tokens open `/mcp` as well (contract §5.3). */
  allow_direct_jwt: boolean;
  examples: Example[];
}
