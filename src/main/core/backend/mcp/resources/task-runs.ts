import type { Tasks } from '../../tasks/tasks.ts';
import type { RemoteResource } from './resource.ts';

const address = /^svc:\/\/task-runs\/([\w-]{1,64})$/;

/** `svc://task-runs/{id}`: the report that a run of a scheduled task has made. `svc_list_tasks` names them. */
export function taskRunResource(tasks: Pick<Tasks, 'readRun'>): RemoteResource {
  return {
    scopes: [],
    modules: ['tasks'],
    list: () => [],
    template: {
      uriTemplate: 'svc://task-runs/{id}',
      name: 'task-run',
      title: 'Report of a task',
      description: 'The file that one run of a scheduled report has made: CSV or JSON.',
    },
    match: (uri) => address.exec(uri)?.[1] ?? null,
    read({ member }, { uri, id }) {
      const { contentType, content } = tasks.readRun(member.uid, id);
      return { uri, mimeType: contentType, text: content };
    },
  };
}
