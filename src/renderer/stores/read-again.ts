/**
 * Runs a read now, or once more after the one under way: a flood of events costs two reads, never one each, and the
 * last read always began after the last event.
 */
export function readAgain(read: () => Promise<void>): () => void {
  let running = false;
  let wanted = false;

  async function run(): Promise<void> {
    running = true;
    while (wanted) {
      wanted = false;
      await read();
    }
    running = false;
  }

  return () => {
    wanted = true;
    if (!running) void run();
  };
}
