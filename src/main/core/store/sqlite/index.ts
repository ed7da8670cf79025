export {
  connect,
  connectInMemory,
  connectReadOnly,
  runTransaction,
  withStorageErrors,
  type Database,
  rememberRows,
  returnPages,
} from './database.ts';
export { makeFolder } from '#system/make-folder.ts';
export { preparePrivateFolder } from '#system/claim-folder.ts';
export {
  companions,
  freeName,
  hasOnlyLog,
  preparePrivateFile,
  timeInName,
  changeCopy,
  copyOnline,
} from './files.ts';
export { lockFolder, type FolderLock } from './folder-lock.ts';
export { hasJournal, schemaNumber, migrate, schemaRange, type Migration } from './migrate.ts';
export { openDatabase } from './open-database.ts';
export { createWriteGuard, guardParts, rememberPlace } from './store-guard.ts';
export {
  hasOwnSchema,
  ownSchema,
  refuseForeignSchema,
  refuseOlderBuild,
  type SchemaObject,
} from './stored-schema.ts';
