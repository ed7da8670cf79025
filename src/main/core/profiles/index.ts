export { demoProfile } from './profiles.ts';
export { createSealer } from './seal.ts';
export { createSecrets } from './secrets.ts';
