import { z } from 'zod';
import { failureSchema, nothing, reasonSchema, recordId as id, request } from '../define.ts';
import { profileSchema } from './session.ts';
import { guardrailsSchema } from '../proposals/agents.ts';

/** Scopes that the user can add to the sign-in besides reading (contract §5.3). */
export const extraScopes = ['svc:write', 'svc:upload', 'offline_access'] as const;

export type ExtraScope = (typeof extraScopes)[number];

/** Access to the remote tools: a sign-in in the browser, or the member token itself (contract §5.3, direct JWT mode). */
export const remoteAccessModes = ['oauth', 'direct-jwt'] as const;

/** The three addresses of a service (contract, address placeholders), without a slash at their ends. */
export const addressesSchema = z.object({
  /** `{base_url}`, ending in `/api/v1`. */
  baseUrl: z.string().max(500),
  /** `{api_url}`, an origin. */
  apiUrl: z.string().max(500),
  /** `{mcp_url}`, an origin. */
  mcpUrl: z.string().max(500),
});

export type ServiceAddresses = z.infer<typeof addressesSchema>;

export const profileInputSchema = addressesSchema.extend({
  /** At most 80 code points. */
  name: z.string().max(400),
  /** IANA name of the service-day zone. */
  zone: z.string().max(100),
  remoteAccess: z.enum(remoteAccessModes),
});

export type ProfileInput = z.infer<typeof profileInputSchema>;

/** `other-key`: kept under a key of another session, which cannot be opened now. */
const credentialState = z.enum(['none', 'held', 'other-key']);

/** A profile with its addresses and the state of its credentials. Never contains a credential. */
export const profileDetailSchema = profileSchema.extend({
  addresses: addressesSchema,
  remoteAccess: z.enum(remoteAccessModes),
  signIn: z.object({
    /** `ended`: the service or a crash ended it, and a person has to sign in again. */
    state: z.enum(['none', 'held', 'other-key', 'ended']),
    scopes: z.array(z.string()),
    signedInAtMs: z.number().nullable(),
  }),
  /** The pasted member token; `expiresAtMs` as the token itself says, null where it does not. */
  memberToken: z.object({ state: credentialState, expiresAtMs: z.number().nullable() }),
  publisherKey: z.object({ state: credentialState }),
  stopped: reasonSchema.nullable(),
});

export type ProfileDetail = z.infer<typeof profileDetailSchema>;

export const credentialNames = ['memberToken', 'publisherKey'] as const;

export type CredentialName = (typeof credentialNames)[number];

export const signInSchema = z.object({
  profileId: z.string(),
  scopes: z.array(z.string()),
  state: z.enum(['preparing', 'waiting', 'finishing', 'done', 'failed', 'cancelled']),
  address: z.string().nullable(),
  opened: z.boolean().nullable(),
  endsAtMs: z.number().nullable(),
  failure: failureSchema.nullable(),
});

export type SignInView = z.infer<typeof signInSchema>;

/** `unconfirmed`: the service was asked and did not confirm. Not asked: `ended`, `other-key`, `other-server`, `not-offered`, `none`. */
export const revocationSchema = z.enum([
  'revoked',
  'none',
  'ended',
  'other-key',
  'other-server',
  'not-offered',
  'unconfirmed',
]);

export type RevocationView = z.infer<typeof revocationSchema>;

export const profilesApi = {
  'profiles.list': request(
    nothing,
    z.object({
      items: z.array(profileDetailSchema),
      currentId: z.string(),
      liveAllowed: z.boolean(),
    }),
  ),
  /** Fails with `validation_failed` naming every field, or `live_on_desktop_only`. */
  'profiles.add': request(profileInputSchema, profileDetailSchema),
  /** Other addresses mean another service: its credentials and what was read of it are forgotten. Fails as `add`, and with `profile_busy`, `profile_fixed`. */
  'profiles.edit': request(profileInputSchema.extend({ id }), profileDetailSchema),
  /** Signs out, and forgets everything of the profile but its proposals and ledger rows. Fails with `profile_busy`, `profile_fixed`. */
  'profiles.remove': request(z.object({ id }), z.null()),
  'profiles.switch': request(z.object({ id }), profileSchema),
  /** Stores a pasted credential after asking the service about it. Fails with `validation_failed` where the service refuses it. */
  'profiles.keepCredential': request(
    z.object({ id, name: z.enum(credentialNames), value: z.string().min(1).max(8_000) }),
    profileDetailSchema,
  ),
  'profiles.forgetCredential': request(z.object({ id, name: z.enum(credentialNames) }), profileDetailSchema),
  /** Forgets every credential and everything that was read, whatever becomes of the sign-in at the service. */
  'profiles.signOut': request(
    z.object({ id }),
    z.object({ profile: profileDetailSchema, revocation: revocationSchema }),
  ),

  /** Asks for what is granted already and these scopes. Fails with `sign_in_running`. */
  'signIn.start': request(z.object({ profileId: id, scopes: z.array(z.enum(extraScopes)) }), signInSchema),
  'signIn.get': request(nothing, signInSchema.nullable()),
  'signIn.open': request(nothing, signInSchema.nullable()),
  'signIn.cancel': request(nothing, signInSchema.nullable()),
};

export const policySchema = z.object({
  /** Where it is looked for; null on a system, or in training, where none is read. */
  file: z.string().nullable(),
  /** The reason why the file cannot be used: live profiles and agents are stopped meanwhile. Null while they are not. */
  problem: reasonSchema.nullable(),
  guardrails: guardrailsSchema.nullable(),
  /** The origins that live profiles may name; null allows any. */
  liveServices: z.array(z.string()).nullable(),
  updatesOff: z.boolean(),
});

export type PolicyView = z.infer<typeof policySchema>;

export const policyApi = {
  'policy.get': request(nothing, policySchema),
};
