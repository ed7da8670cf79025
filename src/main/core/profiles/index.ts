export { checkAddresses, isSameService, demoProfile, viewOf, type Profile } from './profile.ts';
export { createCredentials, createSealer, createSecrets } from './secrets.ts';
export type { Credentials, Held, SealedName, Secrets } from './secrets.ts';
export { createProfileNames, createProfiles, type ProfileNames, type Profiles } from './profiles.ts';
