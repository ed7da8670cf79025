import type { Logger } from '#core/platform/logger.ts';
import type { Credentials, Profile } from '#core/profiles/index.ts';
import { signOut, type GrantStore } from '#core/service-client/index.ts';
import type { RevocationView } from '#shared/app-api/index.ts';
import type { SignInController } from './sign-in-controller.ts';

export interface CredentialRemovalOptions {
  credentials: Credentials;
  signIn: Pick<SignInController, 'leave'>;
  /** Ends an examination of this profile, which uses its credentials. */
  endExamination(profileId: string): void;
  grantsOf(profileId: string): GrantStore;
  timeoutMs: number;
  logger: Logger;
}

/** Removes the credentials of a profile, after ending what uses them. */
export interface CredentialRemoval {
  /** Ends what could still use or keep a credential after it was forgotten: an examination, a sign-in, a refresh. */
  endSignIn(profile: Profile): Promise<void>;
  /** Ends what is under way, and revokes the grant. Resolves to what became of it; never fails because of the service. */
  leaveService(profile: Profile): Promise<RevocationView>;
  /** Forgets everything that opens the service. Joins the transaction it is called in. */
  forgetCredentials(profileId: string): void;
}

export function createCredentialRemoval(options: CredentialRemovalOptions): CredentialRemoval {
  const { credentials, signIn, endExamination, grantsOf, timeoutMs, logger } = options;

  async function endSignIn({ id }: Profile): Promise<void> {
    endExamination(id);
    await signIn.leave(id);
    await grantsOf(id).underWay?.catch(() => undefined);
  }

  return {
    endSignIn,
    async leaveService(profile) {
      const { mcpUrl } = profile.addresses;
      await endSignIn(profile);
      const revocation = await signOut({ mcpUrl, store: grantsOf(profile.id), timeoutMs, logger });
      // The page may have begun another one while the service was asked.
      await endSignIn(profile);
      return revocation;
    },
    forgetCredentials(profileId) {
      credentials.forget(profileId, 'member-token');
      credentials.forget(profileId, 'publisher-key');
      grantsOf(profileId).forget();
    },
  };
}
