import type { AppHandlers, AppOutput, ProfileView } from '#shared/app-api/index.ts';
import { isStatusCode } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Connections, ProfileDesk, SignInDesk } from './connections/index.ts';
import type { DoctorDesk } from './doctor/index.ts';
import type { Ledger } from './ledger/index.ts';
import type { Gate } from './proposals/index.ts';
import type { CampaignReads } from './reads/index.ts';
import type { AppStore } from './store/app/index.ts';

/** What answers the pages. */
export interface Services {
  gate: Gate;
  campaigns: CampaignReads;
  ledger: Ledger;
  store: AppStore;
  connections: Connections;
  profileDesk: ProfileDesk;
  signIn: SignInDesk;
  doctor: DoctorDesk;
  /** Who the core is, and the profile in front. */
  info: Omit<AppOutput<'session.get'>, 'profile'> & { profile(): ProfileView };
}

/** One handler for each request of the app API. */
export function handlersOf(services: Services): AppHandlers {
  const { gate, campaigns, ledger, store, connections, profileDesk, signIn, doctor, info } = services;
  const { version, host } = info;
  return {
    'session.get': async () => ({ version, host, profile: info.profile() }),
    'session.status': async () => {
      const { service, writing } = await connections.look();
      const { rows, sealedAtMs, state } = ledger.report();
      const { proposals } = store;
      return {
        service,
        writing,
        waiting: proposals.countUndecided(),
        unknown: proposals.countUnknownCampaigns(),
        ledger: { rows, sealedAtMs, state },
      };
    },
    'campaigns.page': campaigns.page,
    'campaigns.get': campaigns.get,
    'campaigns.types': campaigns.types,
    'campaigns.proposeUpdate': gate.proposeUpdate,
    'campaigns.proposeStatus': async ({ cids, status }) => {
      if (!isStatusCode(status)) throw new AppError('bad_input');
      return gate.proposeStatus({ cids, status });
    },
    'proposals.list': async (input) => gate.list(input),
    'proposals.get': async ({ id }) => gate.get(id),
    'proposals.review': ({ id }) => gate.review(id),
    'proposals.withdraw': async ({ id }) => gate.withdraw(id),
    'proposals.settle': ({ id }) => gate.settle(id),
    'ledger.list': async (input) => ledger.list(input),
    'ledger.report': async () => ledger.report(),
    'ledger.verify': () => ledger.verify(),
    'profiles.list': async () => profileDesk.list(),
    'profiles.add': profileDesk.add,
    'profiles.edit': profileDesk.edit,
    'profiles.remove': profileDesk.remove,
    'profiles.switch': async (input) => profileDesk.switchTo(input),
    'profiles.keepCredential': profileDesk.keepCredential,
    'profiles.forgetCredential': profileDesk.forgetCredential,
    'profiles.signOut': profileDesk.signOut,
    'signIn.start': async (input) => signIn.start(input),
    'signIn.get': async () => signIn.get(),
    'signIn.open': async () => signIn.open(),
    'signIn.cancel': async () => signIn.cancel(),
    'doctor.start': async ({ profileId }) => doctor.start(profileId),
    'doctor.get': async () => doctor.get(),
    'doctor.stop': async () => doctor.stop(),
  };
}
