import { appBridge } from '#renderer/api/app-bridge.ts';
import { hasUnsavedEdits, editorStore } from '../editor/editor-store.ts';
import { hasUnsavedNotes, notesStore } from '#renderer/stores/notes-store.ts';
import { draftsStore } from '../drafts/drafts-store.ts';
import { sessionStore } from '../session-store.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { gridStore, hasUnsavedCells } from '../campaigns/grid-store.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type {
  AppOutput,
  CredentialName,
  ProfileDetail,
  ProfileInput,
  RevocationView,
  ServiceAddresses,
} from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { type Acting, createAct, readInto, followEvent, readAgain } from '../follow-core.ts';

export type Doing =
  | { kind: 'add' }
  | { kind: 'edit' | 'remove' | 'switch' | 'signOut'; id: string }
  | { kind: 'keep' | 'forget'; id: string; name: CredentialName };

export interface ProfilesState extends Acting<Doing> {
  list: AppOutput<'profiles.list'> | null;
  failure: AppError | null;
  asking: string | null;
  signedOut: { id: string; revocation: RevocationView } | null;

  reload: () => void;
  add: (input: ProfileInput) => Promise<string | null>;
  edit: (id: string, input: ProfileInput) => Promise<boolean>;
  remove: (id: string) => Promise<boolean>;
  /** Sends the secret to the core and stores it nowhere in the page. True if the core stored it. */
  keepCredential: (id: string, name: CredentialName, value: string) => Promise<boolean>;
  forgetCredential: (id: string, name: CredentialName) => Promise<boolean>;
  signOut: (id: string) => Promise<boolean>;
  switchTo: (id: string) => Promise<void>;
  discardAndSwitch: () => Promise<void>;
  stay: () => void;
  dismiss: () => void;
  start: () => () => void;
}

export interface PageToSwitch {
  hasUnsavedEdits(): boolean;
  draftsStored(): Promise<void>;
  reload(): void;
}

export function createProfilesStore(bridge: AppBridge, page: PageToSwitch): StoreApi<ProfilesState> {
  return createStore<ProfilesState>((set, get) => {
    // A new action clears the message of the last sign-out.
    const act = createAct<Doing>(get, (change) =>
      set(change.doing ? { ...change, signedOut: null } : change),
    );

    /** Shows the answer before the list is read again, so that the page does not wait. */
    function put(profile: ProfileDetail): void {
      const { list } = get();
      if (!list) return;
      const known = list.items.some(({ id }) => id === profile.id);
      const items = known
        ? list.items.map((item) => (item.id === profile.id ? profile : item))
        : [...list.items, profile];
      set({ list: { ...list, items } });
    }

    async function changed(doing: Doing, ask: () => Promise<ProfileDetail>): Promise<ProfileDetail | null> {
      const profile = await act(doing, ask);
      if (profile) put(profile);
      return profile;
    }

    const reload = readAgain(() =>
      readInto(set, async () => ({ list: await bridge.call('profiles.list', {}) })),
    );

    async function goTo(id: string): Promise<void> {
      const done = await act({ kind: 'switch', id }, async () => {
        await page.draftsStored();
        return bridge.call('profiles.switch', { id });
      });
      if (done) page.reload();
    }

    return {
      list: null,
      failure: null,
      doing: null,
      refusal: null,
      asking: null,
      signedOut: null,
      reload,
      add: async (input) =>
        (await changed({ kind: 'add' }, () => bridge.call('profiles.add', input)))?.id ?? null,
      edit: async (id, input) =>
        (await changed({ kind: 'edit', id }, () => bridge.call('profiles.edit', { id, ...input }))) !== null,
      keepCredential: async (id, name, value) =>
        (await changed({ kind: 'keep', id, name }, () =>
          bridge.call('profiles.keepCredential', { id, name, value }),
        )) !== null,
      forgetCredential: async (id, name) =>
        (await changed({ kind: 'forget', id, name }, () =>
          bridge.call('profiles.forgetCredential', { id, name }),
        )) !== null,
      async signOut(id) {
        const answer = await act({ kind: 'signOut', id }, () => bridge.call('profiles.signOut', { id }));
        if (!answer) return false;
        put(answer.profile);
        set({ signedOut: { id, revocation: answer.revocation } });
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
      async switchTo(id) {
        if (id === get().list?.currentId) return;
        if (page.hasUnsavedEdits()) set({ asking: id });
        else await goTo(id);
      },
      async discardAndSwitch() {
        const { asking } = get();
        set({ asking: null });
        if (asking !== null) await goTo(asking);
      },
      stay: () => set({ asking: null }),
      dismiss: () => set({ refusal: null, signedOut: null }),
      start: () => followEvent(bridge, 'profiles.changed', reload),
    };
  });
}

/** Null unless the text is a plain origin. */
export function addressesOfOrigin(text: string): Pick<ServiceAddresses, 'baseUrl' | 'apiUrl'> | null {
  const typed = text.trim().replace(/\/$/u, '');
  if (!/^https?:\/\/[^\s/?#@\\]+$/iu.test(typed) || !URL.canParse(typed)) return null;
  return { baseUrl: `${typed}/api/v1`, apiUrl: typed };
}

/** Addresses that are empty or were derived from the tools address follow it. Addresses that a person typed stay. */
export function withToolsAddress(addresses: ServiceAddresses, typed: string): ServiceAddresses {
  const before = addressesOfOrigin(addresses.mcpUrl);
  const after = addressesOfOrigin(typed);
  const follow = (field: 'baseUrl' | 'apiUrl'): string => {
    const now = addresses[field];
    return now === '' || now === before?.[field] ? (after?.[field] ?? '') : now;
  };
  return { mcpUrl: typed, baseUrl: follow('baseUrl'), apiUrl: follow('apiUrl') };
}

/** For stores that are loaded with their page: each adds whether it has typed text that is neither stored nor proposed. */
export const unsavedEdits = new Set<() => boolean>();

export const profilesStore = createProfilesStore(appBridge, {
  hasUnsavedEdits: () =>
    hasUnsavedEdits(editorStore.getState()) ||
    hasUnsavedCells(gridStore.getState()) ||
    hasUnsavedNotes(notesStore.getState()) ||
    [...unsavedEdits].some((isUnsaved) => isUnsaved()),
  draftsStored: () => draftsStore.getState().stored(),
  reload: () => sessionStore.getState().reload(),
});
