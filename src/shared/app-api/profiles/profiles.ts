import { z } from 'zod';
import { failureSchema, nothing, reasonSchema, recordId as id, request, sentenceSchema } from '../define.ts';
import { profileSchema } from './session.ts';
import { guardrailsSchema } from '../proposals/agents.ts';

/** Scopes that the user can add to the sign-in besides reading (contract §5.3). */
export const extraScopes = ['svc:write', 'svc:upload', 'offline_access'] as const;

export type ExtraScope = (typeof extraScopes)[number];

/**
 * Access to the remote tools: by a sign-in in the browser, or with the member token itself (contract §5.3, direct JWT
 * mode).
 */
export const remoteAccessModes = ['oauth', 'direct-jwt'] as const;

/** The three addresses of a service (contract, address placeholders), without a trailing slash. */
export const addressesSchema = z.object({
  /** `{base_url}`. It ends in `/api/v1`. */
  baseUrl: z.string().max(500),
  /** `{api_url}`. An origin. */
  apiUrl: z.string().max(500),
  /** `{mcp_url}`. An origin. */
  mcpUrl: z.string().max(500),
});

export type ServiceAddresses = z.infer<typeof addressesSchema>;

export const profileInputSchema = addressesSchema.extend({
  /** At most 80 code points. */
  name: z.string().max(400),
  /** IANA name of the zone of the service's days. */
  zone: z.string().max(100),
  remoteAccess: z.enum(remoteAccessModes),
});

export type ProfileInput = z.infer<typeof profileInputSchema>;

/** `other-key`: sealed under the key of another session, so it cannot be opened now. */
const credentialState = z.enum(['none', 'held', 'other-key']);

/** A profile with its addresses and the state of its credentials. Never contains a credential. */
export const profileDetailSchema = profileSchema.extend({
  addresses: addressesSchema,
  remoteAccess: z.enum(remoteAccessModes),
  signIn: z.object({
    /** `ended`: the service or a crash ended the sign-in, and a person has to sign in again. */
    state: z.enum(['none', 'held', 'other-key', 'ended']),
    scopes: z.array(z.string()),
    signedInAtMs: z.number().nullable(),
  }),
  /** The pasted member token. `expiresAtMs` is the expiry that the token states, or null if it states none. */
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

/**
 * `unconfirmed`: the service was asked to revoke the sign-in and did not confirm that it did. No revocation was sent
 * for `ended`, `other-key`, `other-server`, `not-offered` and `none`.
 */
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
  /** Fails with `validation_failed`, which names every invalid field, or with `live_on_desktop_only`. */
  'profiles.add': request(profileInputSchema, profileDetailSchema),
  /**
   * Other addresses mean another service, so the credentials and cached data of the old service are deleted. Fails as
   * `profiles.add` does, or with `profile_busy` or `profile_fixed`.
   */
  'profiles.edit': request(profileInputSchema.extend({ id }), profileDetailSchema),
  /**
   * Signs out, and deletes all data of the profile except its proposals and ledger rows. Fails with `profile_busy` or
   * `profile_fixed`.
   */
  'profiles.remove': request(z.object({ id }), z.null()),
  'profiles.switch': request(z.object({ id }), profileSchema),
  /** Checks a pasted credential with the service, then stores it. Fails with `validation_failed` if the service refuses it. */
  'profiles.keepCredential': request(
    z.object({ id, name: z.enum(credentialNames), value: z.string().min(1).max(8_000) }),
    profileDetailSchema,
  ),
  'profiles.forgetCredential': request(z.object({ id, name: z.enum(credentialNames) }), profileDetailSchema),
  /** Deletes every credential and all cached data, even if the service does not confirm the revocation. */
  'profiles.signOut': request(
    z.object({ id }),
    z.object({ profile: profileDetailSchema, revocation: revocationSchema }),
  ),

  /** Requests the scopes already granted and these scopes. Fails with `sign_in_running`. */
  'signIn.start': request(z.object({ profileId: id, scopes: z.array(z.enum(extraScopes)) }), signInSchema),
  'signIn.get': request(nothing, signInSchema.nullable()),
  'signIn.open': request(nothing, signInSchema.nullable()),
  'signIn.cancel': request(nothing, signInSchema.nullable()),
};

export const policySchema = z.object({
  /** The path where the policy file is expected. Null if no policy is read: on systems without one, and in training. */
  file: z.string().nullable(),
  /** The reason why the policy file cannot be used. Live profiles and agents are then stopped. Null while they are not. */
  problem: reasonSchema.nullable(),
  guardrails: guardrailsSchema.nullable(),
  /** The origins that live profiles may use. Null allows any origin. */
  liveServices: z.array(z.string()).nullable(),
  updatesOff: z.boolean(),
});

export type PolicyView = z.infer<typeof policySchema>;

export const policyApi = {
  'policy.get': request(nothing, policySchema),
};

export const doctorStepIds = [
  'health',
  'ready',
  'protected-resource',
  'authorization-server',
  'registration',
  'sign-in',
  'whoami',
  'tools',
  'member-list',
  'publisher-reports',
  'contract',
] as const;

export type DoctorStepId = (typeof doctorStepIds)[number];

export const contractFindingSchema = z.object({
  id: z.string(),
  /** The section of the contract, for example `§4.1`. */
  clause: z.string(),
  title: sentenceSchema,
  state: z.enum(['holds', 'drifts', 'skipped']),
  /** The difference from the contract, or the reason why the promise was not checked. Empty if there is neither. */
  text: sentenceSchema,
});

export type ContractFinding = z.infer<typeof contractFindingSchema>;

/** One step: the request, the answer, its duration, its meaning, and one recommended action. Contains no secret. */
export const doctorStepSchema = z.object({
  id: z.enum(doctorStepIds),
  title: sentenceSchema,
  state: z.enum(['waiting', 'running', 'ok', 'notice', 'failed', 'skipped']),
  asked: sentenceSchema,
  answer: sentenceSchema,
  tookMs: z.number().nullable(),
  means: sentenceSchema.nullable(),
  remedy: sentenceSchema.nullable(),
  findings: z.array(contractFindingSchema),
});

export type DoctorStep = z.infer<typeof doctorStepSchema>;

export const doctorReportSchema = z.object({
  /** The profile's name, or the address that was given on the terminal. */
  subject: z.string(),
  profileId: z.string().nullable(),
  startedAtMs: z.number(),
  endedAtMs: z.number().nullable(),
  steps: z.array(doctorStepSchema),
  /** The complete report as text, for copying. Empty until the examination has ended. */
  text: z.string(),
});

export type DoctorReport = z.infer<typeof doctorReportSchema>;

export const doctorApi = {
  /**
   * Examines the profile's service by reads only. Only one examination runs at a time: this request ends the
   * examination of another profile.
   */
  'doctor.start': request(z.object({ profileId: z.string().min(1).max(100) }), doctorReportSchema),
  /** The running examination, or the last one since the core started. */
  'doctor.get': request(nothing, doctorReportSchema.nullable()),
  'doctor.stop': request(nothing, doctorReportSchema.nullable()),
};
