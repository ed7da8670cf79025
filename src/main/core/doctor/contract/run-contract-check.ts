import type { Clock } from '#core/platform/clock.ts';
import type { RemoteAccess } from '#core/service-client/index.ts';
import type { ContractFinding, ServiceAddresses } from '#shared/app-api/index.ts';

export interface ContractCheckOptions {
  addresses: ServiceAddresses;
  /** Null where there is none: what needs it is skipped. */
  memberToken: string | null;
  publisherKey: string | null;
  /** Opens the remote tools. */
  access: RemoteAccess | null;
  /**
   * False: reads alone leave, requests that have to be refused among them, and never a PUT. True: campaigns are written and
   * put back as far as the contract allows; for the embedded backend in tests only, never for a service that somebody uses.
   */
  writes: boolean;
  signal: AbortSignal;
  /** One request, from its first byte to the last one of its answer. */
  timeoutMs: number;
  clock: Clock;
  /** Called with every finding as it is made, in the order of the table. */
  onFinding?(finding: ContractFinding): void;
}

/**
 * Holds a service against the contract, one request after the other, and gives a finding for every check. Never fails
 * because of the service; an abort ends it with the findings made so far. A service that answers 429 is left alone: what
 * comes after is skipped.
 */
export async function runContractCheck(_options: ContractCheckOptions): Promise<ContractFinding[]> {
  return [];
}
