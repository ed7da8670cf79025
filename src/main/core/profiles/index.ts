export { checkAddresses, isSameService, demoProfile, viewOf, type Profile } from './profile.ts';
export {
  createCredentials,
  type Credentials,
  type Held,
  type SealedName,
  createSealer,
  createSecrets,
  type Secrets,
} from './secrets.ts';
export { createProfileNames, type ProfileNames, createProfiles, type Profiles } from './profiles.ts';
