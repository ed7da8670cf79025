// The part of the core that the command line and the browser host may use: a complete core, parts that run without a
// complete core, and the platform below both.

export { createBackend, type Backend, type BackendAddresses, type DemoCredential } from './backend/index.ts';
export { composeCore, type Core } from './compose/compose.ts';
export { composeRestartable } from './compose/restartable-core.ts';
export type { CoreSettings } from './compose/options.ts';
export { composeTraining } from './compose/training.ts';
export { countedSteps, driftLines, examine, explainPublisherRefusal, hasEnded } from './doctor/index.ts';
export { oneTimeTarget, stepSigns } from './doctor/index.ts';
export { verifyLedgerExport, verifyLedgerFile } from './ledger/index.ts';
export { systemClock, type Clock } from './platform/clock.ts';
export { DisposableStack, openAll, whileOpen, type AsyncDisposable } from './platform/disposable.ts';
export { keepHeapSmall } from './platform/heap.ts';
export { createIds, type Ids } from './platform/ids.ts';
export { whyNoRoom, makeTemporary, removeTemporary } from '#core/platform/disk-places.ts';
export { openLogFile, silentLogger, type Logger } from './platform/logger.ts';
export { bodyJsonLimits, readBody } from './platform/loopback/requests.ts';
export { headerValues } from './platform/loopback/guards.ts';
export { openLoopbackListener } from './platform/loopback/listener.ts';
export type { LoopbackHandler, LoopbackListener, LoopbackOptions } from './platform/loopback/listener.ts';
export { isSameSecret } from './platform/credentials.ts';
export { createAdministratorPolicy, type PolicyPlace } from '#system/policy/index.ts';
export { checkAddresses } from './profiles/index.ts';
export { readWholeReport, type WholeReport } from './reports/index.ts';
export { checkResult, type ResultCheck } from './training/index.ts';
export { createPublisherClient, setSystemNetwork } from './service-client/index.ts';
export { lockFolder, type FolderLock } from '#core/store/sqlite/folder-lock.ts';
