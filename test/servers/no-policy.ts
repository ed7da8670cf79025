import { silentLogger } from '#core/platform/logger.ts';
import { createAdministratorPolicy } from '#system/policy/index.ts';

/** No administrator has set anything. */
export const noPolicy = createAdministratorPolicy({ place: null, logger: silentLogger, emit() {} });
