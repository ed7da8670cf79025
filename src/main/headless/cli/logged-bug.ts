/** A bug that has been written to the log; the person hears where, and nothing of its words. */
export class LoggedBug extends Error {
  readonly logFile: string;

  constructor(logFile: string, cause: unknown) {
    super('A bug was logged', { cause });
    this.name = 'LoggedBug';
    this.logFile = logFile;
  }
}
