export { createConnections, olderServiceSetting } from './connections.ts';
export type { Connection, Connections, DemoCredentials } from './connections.ts';
export { createDemoAccess, createGrantStores } from './grant-store.ts';
export { createProfileController, type ProfileController } from './profile-controller.ts';
export { assertCovered, remoteSignIn, createSignInController } from './sign-in-controller.ts';
export type { RemoteSignIn, SignInController } from './sign-in-controller.ts';
export { createServiceState, type ServiceState } from './profile-state.ts';
export { tokenExpiry } from './pasted-credential.ts';
