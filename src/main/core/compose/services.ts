import type { AppOutput, ProfileView } from '#shared/app-api/index.ts';
import type {
  Agents,
  Freeze,
  GuardrailSettings,
  EmergencyStop,
  RefusedAttempts,
  ToolPins,
} from '../agents/index.ts';
import type { CampaignNotes } from '#core/campaign-notes.ts';
import type { DataRequests } from '../data-folder/index.ts';
import type { Connections, ProfileController, SignInController } from '../connections/index.ts';
import type { DoctorController } from '../doctor/index.ts';
import type { Bulk, Copies, Drafts } from '../drafts/index.ts';
import type { FormatSetting } from './format-setting.ts';
import type { Gateway } from '../gateway/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Pictures } from '../pictures.ts';
import type { CountDecisions, Gate, NetEffect, Pruning, Returns } from '../proposals/index.ts';
import type { AdministratorPolicy } from '#system/policy/index.ts';
import type { ProfileNames, Profiles } from '../profiles/index.ts';
import type { CampaignReads, Finder, FullCampaigns } from '../reads/index.ts';
import type { Schedules } from '../schedules/index.ts';
import type { ReportNotes, ReportService } from '../reports/index.ts';
import type { SampleAgent } from '../sample-agent/index.ts';
import type { Uploads } from '../uploads/index.ts';
import type { AppStore } from '../store/app/index.ts';

/** The services behind the pages' requests. */
export interface Services {
  gate: Gate;
  campaigns: CampaignReads;
  fullCampaigns: FullCampaigns;
  finder: Finder;
  campaignNotes: CampaignNotes;
  drafts: Drafts;
  copies: Copies;
  bulk: Bulk;
  pictures: Pictures;
  /** The origins of a profile's addresses. */
  originsOf: Profiles['originsOf'];
  reports: ReportService;
  ledger: Ledger;
  store: AppStore;
  connections: Connections;
  profileController: ProfileController;
  signIn: SignInController;
  doctor: DoctorController;
  agents: Agents;
  freeze: Freeze;
  guardrails: GuardrailSettings;
  policy: AdministratorPolicy;
  refusedAttempts: RefusedAttempts;
  pins: ToolPins;
  emergencyStop: EmergencyStop;
  gateway: Gateway;
  sampleAgent: SampleAgent;
  schedules: Schedules;
  uploads: Uploads;
  netEffect: NetEffect;
  countDecisions: CountDecisions;
  returns: Returns;
  pruning: Pruning;
  profileNames: ProfileNames;
  dataRequests: DataRequests;
  notes: ReportNotes;
  formatSetting: FormatSetting;
  /** The host shows the first start screen while it was not seen. */
  offersFirstStart: boolean;
  /** The core's version and host, and the active profile. */
  info: Pick<AppOutput<'session.get'>, 'version' | 'host'> & { profile(): ProfileView };
  /** Time by which the service’s clock is ahead of this computer’s, in milliseconds. */
  serviceAheadMs(): number;
}
