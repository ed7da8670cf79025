export { createAccess } from './access.ts';
export type { RemoteAccess } from './access.ts';
export { discover } from './discover.ts';
export type { Discovery, DocumentRead } from './discover.ts';
export type { Grant, GrantStore, RegisteredClient } from './grant.ts';
export { signIn } from './sign-in.ts';
export type { SignInProgress } from './sign-in.ts';
export { signOut } from './sign-out.ts';
