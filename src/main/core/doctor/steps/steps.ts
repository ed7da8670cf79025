import { authorizationServer } from './authorization-server.ts';
import { contract } from './contract.ts';
import { health } from './health.ts';
import { memberList } from './member-list.ts';
import { protectedResource } from './protected-resource.ts';
import { publisherReports } from './publisher-reports.ts';
import { ready } from './ready.ts';
import { registration } from './registration.ts';
import { signIn } from './sign-in.ts';
import type { Step } from './step.ts';
import { tools } from './tools.ts';
import { whoami } from './whoami.ts';

/** What the doctor looks at, in this order. */
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
