import type { AppOutput, CredentialName, ProfileInput } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import type { StoreApi } from 'zustand/vanilla';
import type { Acting } from '../acting.ts';

/** What is being done to a profile; one thing at a time. */
export type Doing =
  | { kind: 'add' }
  | { kind: 'edit' | 'remove' | 'switch' | 'signOut'; id: string }
  | { kind: 'keep' | 'forget'; id: string; name: CredentialName };

export interface ProfilesState extends Acting<Doing> {
  /** Null until the first answer. */
  list: AppOutput<'profiles.list'> | null;
  /** Why the last read failed; what is shown is then old. */
  failure: AppError | null;
  /** A profile to go to, while the person is asked about edits that would be lost. */
  asking: string | null;
  /** The profile that was signed out last, and whether its service heard of it. */
  signedOut: { id: string; revoked: boolean } | null;

  reload: () => void;
  /** The new profile's id, or null with the reason in `refusal`. */
  add: (input: ProfileInput) => Promise<string | null>;
  /** True when it is stored. */
  edit: (id: string, input: ProfileInput) => Promise<boolean>;
  remove: (id: string) => Promise<boolean>;
  /** Hands a pasted secret on; nothing of it stays here. True when it is stored. */
  keepCredential: (id: string, name: CredentialName, value: string) => Promise<boolean>;
  forgetCredential: (id: string, name: CredentialName) => Promise<boolean>;
  signOut: (id: string) => Promise<boolean>;
  /** Goes to a profile, after asking where edits would be lost. The page begins anew then. */
  switchTo: (id: string) => Promise<void>;
  /** The answer to the question: the edits go, and the page to the other profile. */
  discardAndSwitch: () => Promise<void>;
  /** The other answer: everything stays. */
  stay: () => void;
  dismiss: () => void;
  /** Keeps the list current. Returns the way to stop. Call once. */
  start: () => () => void;
}

export type ProfilesStore = StoreApi<ProfilesState>;
