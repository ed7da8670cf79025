import type { WriteKind } from '../operations/write-kind.ts';
import type { BackendService } from '../service.ts';

/** The write `upload`: an icon or an image for Push. */
export function uploadWrite(service: BackendService, options: { origin: string }): WriteKind {
  void service;
  void options;
  return {
    name: 'upload',
    scopes: ['svc:upload'],
    prepare: () => ({ target: '', payload: {}, diff: [], warnings: [], revision: '' }),
    revision: () => null,
    apply: () => {},
    verify: () => ({ stored: false, data: {} }),
  };
}
