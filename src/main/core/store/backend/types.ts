import type { CampaignContext, CampaignRow, SortColumn, StatusCode } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

/** A part of the service that an account may use. */
export type Module = 'campaigns' | 'uploads' | 'xml' | 'search' | 'tasks';

/** An account of the service. */
export interface Member {
  uid: number;
  name: string;
  role: 'member' | 'publisher';
  /** Available balance in integer micros. */
  balanceMicros: number;
  /** True if the member's menu has the remote tools. */
  mcpMenu: boolean;
  /** The modules that it may use through the remote tools (contract §4.3, `svc_whoami`). */
  modules: readonly Module[];
}

/** A stored campaign: the complete payload, and the list row made from it (contract §2.2). */
export interface CampaignRecord {
  payload: JsonObject;
  row: CampaignRow;
  type: number;
}

/** The query of the list, already checked. */
export interface CampaignListQuery {
  uid: number;
  /** An exact campaign id, or a part of the name in any case, or neither. */
  match: { kind: 'all' } | { kind: 'cid'; cid: number } | { kind: 'text'; text: string };
  status: StatusCode | null;
  /** Empty means every type. */
  types: readonly number[];
  sort: SortColumn;
  order: 'asc' | 'desc';
  offset: number;
  limit: number;
}

/** One page: rows as JSON texts, ready to be sent, and how many there are in all. */
export interface CampaignListPage {
  rows: readonly string[];
  total: number;
}

/** Reads the service's data; never changes it. */
export interface BackendReader {
  /** True until demo data is made. */
  isEmpty(): boolean;
  member(uid: number): Member | null;
  tenant(): CampaignContext;
  list(query: CampaignListQuery): CampaignListPage;
  /** The complete campaign as JSON text; null if it is absent or another member's. */
  payload(uid: number, cid: number): string | null;
  /** The status of each of these campaigns that the member owns. */
  statuses(uid: number, cids: readonly number[]): Map<number, StatusCode>;
  /** True if the campaign arrived as Pending and was not approved since, whatever its current status. */
  isUnapproved(cid: number): boolean;
}

/** Changes the service's data; call inside a transaction. */
export interface BackendWriter {
  addMember(member: Member): void;
  /** Changes what a member may do through the remote tools, at once. */
  setAccess(uid: number, access: Partial<Pick<Member, 'mcpMenu' | 'modules'>>): void;
  /** Sets the available balance, in integer micros. */
  setBalance(uid: number, balanceMicros: number): void;
  setTenant(tenant: CampaignContext): void;
  addCampaign(record: CampaignRecord): void;
  replaceCampaign(record: CampaignRecord): void;
  setStatus(cids: readonly number[], status: StatusCode): void;
}
