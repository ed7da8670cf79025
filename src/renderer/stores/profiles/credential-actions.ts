import type { AppBridge } from '#renderer/api/bridge.ts';
import type { ProfileDetail } from '#shared/app-api/index.ts';
import type { Act } from '../acting.ts';
import type { Doing, ProfilesState } from './profiles-state.ts';

interface Ways {
  act: Act<Doing>;
  put(profile: ProfileDetail): void;
  said(signedOut: ProfilesState['signedOut']): void;
  reload(): void;
}

/** Pasting, forgetting, signing out, removing: what a profile is opened by. A secret passes through and is kept nowhere. */
export function credentialActions(
  bridge: AppBridge,
  { act, put, said, reload }: Ways,
): Pick<ProfilesState, 'keepCredential' | 'forgetCredential' | 'signOut' | 'remove'> {
  return {
    async keepCredential(id, name, value) {
      const profile = await act({ kind: 'keep', id, name }, () =>
        bridge.call('profiles.keepCredential', { id, name, value }),
      );
      if (profile) put(profile);
      return profile !== null;
    },
    async forgetCredential(id, name) {
      const profile = await act({ kind: 'forget', id, name }, () =>
        bridge.call('profiles.forgetCredential', { id, name }),
      );
      if (profile) put(profile);
      return profile !== null;
    },
    async signOut(id) {
      const answer = await act({ kind: 'signOut', id }, () => bridge.call('profiles.signOut', { id }));
      if (!answer) return false;
      put(answer.profile);
      said({ id, revoked: answer.revoked });
      return true;
    },
    async remove(id) {
      const done = await act({ kind: 'remove', id }, async () => {
        await bridge.call('profiles.remove', { id });
        return { id };
      });
      if (done) reload();
      return done !== null;
    },
  };
}
