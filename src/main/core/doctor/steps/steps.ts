import { authorizationServer } from './authorization-server.ts';
import { contract } from './contract.ts';
import { health, ready } from './health.ts';
import { memberList, publisherReports } from './rest-reads.ts';
import { protectedResource } from './protected-resource.ts';
import { registration } from './registration.ts';
import { signIn } from './sign-in.ts';
import type { Step } from './step.ts';
import { tools, whoami } from './remote-tools.ts';

/** The steps of an examination, in this order. */
export const steps: readonly Step[] = [
  health,
  ready,
  protectedResource,
  authorizationServer,
  registration,
  signIn,
  whoami,
  tools,
  memberList,
  publisherReports,
  contract,
];
