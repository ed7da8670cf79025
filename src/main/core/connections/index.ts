export { createConnections, type Connections, olderServiceSetting } from './connections.ts';
export type { Connection, DemoCredentials } from './connections.ts';
export { createDemoAccess, createGrantStores } from './grant-store.ts';
export { createProfileController, type ProfileController } from './profile-controller.ts';
export {
  assertCovered,
  remoteSignIn,
  type RemoteSignIn,
  createSignInController,
  type SignInController,
} from './sign-in-controller.ts';
export { createServiceState, type ServiceState } from './profile-state.ts';
export { tokenExpiry } from './pasted-credential.ts';
