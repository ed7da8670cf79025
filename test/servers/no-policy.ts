import { silentLogger } from '#core/platform/logger.ts';
import { createAdministratorPolicy } from '#system/policy/index.ts';

/** The policy of a machine without administrator settings. */
export const noPolicy = createAdministratorPolicy({ place: null, logger: silentLogger, emit() {} });
