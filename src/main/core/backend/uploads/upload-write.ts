import type { WriteKind } from '../operations/write-kind.ts';
import type { BackendService } from '../service.ts';
import { uploadTool } from './upload-tool.ts';

/** The write `upload`: an icon or an image for Push. */
export function uploadWrite(service: BackendService, options: { origin: string }): WriteKind {
  void service;
  void options;
  return {
    name: 'upload',
    tool: uploadTool,
    scopes: ['svc:upload'],
    modules: ['uploads'],
    prepare: () => ({ target: '', payload: {}, diff: [], warnings: [], revision: '' }),
    revision: () => null,
    apply: () => {},
    verify: () => ({ stored: 'none', data: {} }),
  };
}
