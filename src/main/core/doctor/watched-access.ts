import type { RemoteAccess } from '#core/service-client/index.ts';

/** The same access, which tells every token that it hands out: what passed through the doctor’s hands is never shown. */
export function watchedAccess(access: RemoteAccess, onToken: (token: string) => void): RemoteAccess {
  const tell = async (given: Promise<string>): Promise<string> => {
    const token = await given;
    onToken(token);
    return token;
  };
  return { token: () => tell(access.token()), renew: (refused) => tell(access.renew(refused)) };
}
