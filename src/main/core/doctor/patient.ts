import type { Profile } from '#core/profiles/index.ts';
import type { GrantStore, RemoteAccess } from '#core/service-client/index.ts';
import type { ServiceAddresses } from '#shared/app-api/index.ts';

/** The service that is examined, with what opens it. What is null is not there, and its steps say how to get it. */
export interface Patient {
  /** Named in the report. */
  subject: string;
  /** Null in the terminal, where the remedies name options in place of pages. */
  profileId: string | null;
  addresses: ServiceAddresses;
  /** Opens the remote tools. */
  access: RemoteAccess | null;
  /** The stored sign-in and its client; null where the tools are opened without one. */
  grants: Pick<GrantStore, 'load' | 'client'> | null;
  /** How the remote tools are opened; a sign-in, or the member token itself. */
  remoteAccess: Profile['remoteAccess'];
  memberToken: string | null;
  publisherKey: string | null;
}
