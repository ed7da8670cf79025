import { parentPort, workerData } from 'node:worker_threads';
import { parseFile, type BulkMessage, type BulkTask, type BulkWork } from './parse-file.ts';

function run(port: NonNullable<typeof parentPort>, task: BulkTask): void {
  const post = (message: BulkMessage): void => port.postMessage(message);
  const at = (part: string): void => post({ kind: 'at', part });
  switch (task.kind) {
    case 'replace':
      return post({ kind: 'done', output: replace(task.input, at) });
    case 'parse':
      at('');
      return post({ kind: 'done', output: parseFile(task.input) });
  }
}

function replace(
  { pattern, replacement, maxLength, fields }: BulkWork['replace']['input'],
  at: (part: string) => void,
): BulkWork['replace']['output'] {
  return fields.map(({ field, texts }) => {
    at(field);
    return {
      field,
      texts: texts.map((text) => {
        const result = text.replace(pattern, replacement);
        return result.length > maxLength ? null : result;
      }),
    };
  });
}

if (parentPort === null) throw new Error('This file is started by the core as a worker');
run(parentPort, workerData as BulkTask);
