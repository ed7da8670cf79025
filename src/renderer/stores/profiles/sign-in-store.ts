import { appBridge } from '#renderer/api/app-bridge.ts';
import { copyText } from '#renderer/api/host-services.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { ExtraScope, SignInView } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { asFailure, followEvent, readAgain } from '../follow-core.ts';

export interface SignInState {
  signIn: SignInView | null;
  refusal: { profileId: string; failure: AppError } | null;
  begin: (profileId: string, scopes: readonly ExtraScope[]) => Promise<void>;
  openAgain: () => Promise<void>;
  cancel: () => Promise<void>;
  copied: string | null;
  copyAddress: () => Promise<void>;
  dismiss: () => void;
  start: () => () => void;
}

export interface SignInStoreParts {
  bridge: AppBridge;
  copyText(text: string): Promise<void>;
}

const underWay = new Set<SignInView['state']>(['preparing', 'waiting', 'finishing']);

export function isUnderWay(signIn: SignInView | null): boolean {
  return signIn !== null && underWay.has(signIn.state);
}

export function createSignInStore({ bridge, copyText }: SignInStoreParts): StoreApi<SignInState> {
  return createStore<SignInState>((set, get) => {
    /** The end of a sign-in is shown only if this page saw it running, and not after a reload. */
    function take(signIn: SignInView | null): void {
      set({ signIn: isUnderWay(signIn) || get().signIn !== null ? signIn : null });
    }

    function refuse(error: unknown, profileId = get().signIn?.profileId): void {
      const failure = asFailure(error);
      if (profileId !== undefined) set({ refusal: { profileId, failure } });
    }

    async function ask(name: 'signIn.get' | 'signIn.open' | 'signIn.cancel'): Promise<void> {
      try {
        take(await bridge.call(name, {}));
      } catch (error) {
        refuse(error);
      }
    }
    const read = readAgain(() => ask('signIn.get'));

    return {
      signIn: null,
      refusal: null,
      copied: null,
      async begin(profileId, scopes) {
        set({ refusal: null });
        try {
          set({ signIn: await bridge.call('signIn.start', { profileId, scopes: [...scopes] }) });
          // The sign-in may have progressed before the answer arrived.
          read();
        } catch (error) {
          refuse(error, profileId);
        }
      },
      async copyAddress() {
        const address = get().signIn?.address ?? null;
        if (address === null) return;
        try {
          await copyText(address);
          set({ copied: address });
        } catch (error) {
          refuse(error);
        }
      },
      openAgain: () => ask('signIn.open'),
      cancel: () => ask('signIn.cancel'),
      dismiss: () => set({ refusal: null, signIn: isUnderWay(get().signIn) ? get().signIn : null }),
      start: () => followEvent(bridge, 'signIn.changed', read),
    };
  });
}

export const signInStore = createSignInStore({ bridge: appBridge, copyText });
