import type { Logger } from '#core/platform/logger.ts';
import type { Profiles } from '#core/profiles/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import type { Connections } from './connections.ts';

export interface LearningOptions {
  profiles: Profiles;
  connections: Pick<Connections, 'of'>;
  logger: Logger;
  signal: AbortSignal;
}

/**
 * Asks the remote tools whose account it is, where nothing has told it yet (contract §4.3, `svc_whoami`). Resolves to whether
 * the profile has one now that it had not before; never fails.
 */
export async function learnAccount(profileId: string, options: LearningOptions): Promise<boolean> {
  const { profiles, connections, logger, signal } = options;
  try {
    if (profiles.get(profileId).account !== '') return false;
    const answer = await connections.of(profileId).remote.callTool('svc_whoami', {}, { signal });
    const uid = uidIn(answer);
    // Another answer may have told it meanwhile.
    if (uid === null || signal.aborted || profiles.get(profileId).account !== '') return false;
    profiles.setAccount(profileId, String(uid));
    return true;
  } catch (failure) {
    logger.info({ failure, profileId }, 'The service did not tell whose account it is');
    return false;
  }
}

/** The contract does not fix where the owner stands: beside the identity, or in it. */
function uidIn(answer: JsonObject): number | null {
  const { data } = member(answer, 'structuredContent');
  const found = isJsonObject(data) ? [data['uid'], member(data, 'identity')['uid']] : [];
  return found.find(isUid) ?? null;
}

function member(value: JsonObject, name: string): JsonObject {
  const found = value[name];
  return isJsonObject(found) ? found : {};
}

function isUid(value: JsonValue | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
