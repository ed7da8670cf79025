import { checkAuthorizationAddress } from './check-authorization-address.ts';
import { checkExternalLink, type ExternalLink } from './check-external-link.ts';

type FineLink = Extract<ExternalLink, { kind: 'fine' }>;

export interface LinksOptions {
  /** Hands an address to the system's browser. */
  open(address: string): Promise<void>;
  /** Asks the person, with the whole address before their eyes. True only when they chose to open it. */
  ask(link: FineLink): Promise<boolean>;
}

/** The one way out to the system's browser. */
export interface Links {
  /** Opens the address if it passes the policy and the person agrees. Resolves to whether it was opened; never rejects. */
  follow(address: string): Promise<boolean>;
  /**
   * Opens the authorization address of a sign-in, which a person has just asked for on the app's own page. Resolves to
   * whether it was opened; never rejects.
   */
  openAuthorization(address: string): Promise<boolean>;
}

/** Asks about one address at a time: while a person is asked, further ones are dropped. */
export function createLinkGuard({ open, ask }: LinksOptions): Links {
  let asking = false;
  return {
    async openAuthorization(address) {
      const fine = checkAuthorizationAddress(address);
      if (fine === null) return false;
      return open(fine).then(
        () => true,
        () => false,
      );
    },
    async follow(address) {
      const link = checkExternalLink(address);
      if (link.kind === 'refused' || asking) return false;
      asking = true;
      try {
        if (!(await ask(link))) return false;
        await open(link.address);
        return true;
      } catch {
        // No browser, or one that does not start: the person sees that nothing opened.
        return false;
      } finally {
        asking = false;
      }
    },
  };
}
