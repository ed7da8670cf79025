// Everything of the core that the command line and the browser host use: a whole core, its parts that run without one, and
// the platform beneath both.

export { createBackend } from './backend/index.ts';
export type { Backend, BackendAddresses, DemoCredential } from './backend/index.ts';
export { composeCore } from './compose/compose.ts';
export { composeLasting } from './compose/lasting.ts';
export type { Core } from './compose/compose.ts';
export type { ComposeOptions } from './compose/options.ts';
export { composeTraining } from './compose/training.ts';
export type { ComposeTrainingOptions } from './compose/training.ts';
export {
  countedSteps,
  driftLines,
  examine,
  explainPublisherRefusal,
  hasEnded,
  oneTimeTarget,
  stepSigns,
} from './doctor/index.ts';
export { verifyLedgerExport, verifyLedgerFile } from './ledger/index.ts';
export { systemClock } from './platform/clock.ts';
export type { Clock } from './platform/clock.ts';
export { DisposableStack } from './platform/disposable.ts';
export type { AsyncDisposable } from './platform/disposable.ts';
export { createIds } from './platform/ids.ts';
export type { Ids } from './platform/ids.ts';
export { whyNoRoom } from './platform/disk-room.ts';
export { openLogFile } from './platform/logger.ts';
export { silentLogger } from './platform/logger.ts';
export type { Logger } from './platform/logger.ts';
export { bodyJsonLimits, headerValues, openLoopbackListener, readBody } from './platform/loopback/index.ts';
export type { LoopbackHandler, LoopbackListener, LoopbackOptions } from './platform/loopback/index.ts';
export { isSameSecret } from './platform/same-secret.ts';
export { createAdministratorPolicy } from '#system/policy/index.ts';
export type { PolicyPlace } from '#system/policy/index.ts';
export { makeTemporary, removeTemporary } from './platform/temporary.ts';
export { checkAddresses } from './profiles/index.ts';
export { readWholeReport } from './reports/index.ts';
export type { WholeReport } from './reports/index.ts';
export { checkResult } from './training/index.ts';
export type { ResultCheck } from './training/index.ts';
export { createPublisherClient, setSystemNetwork } from './service-client/index.ts';
export { lockFolder } from './store/sqlite/index.ts';
export type { FolderLock } from './store/sqlite/index.ts';
