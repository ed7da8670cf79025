import { toolsStore } from '#renderer/stores/agents/index.ts';
import { sessionStore } from '#renderer/stores/session/index.ts';
import { ageText, Banner, Card, Select, Skeleton, useLongerThan } from '#renderer/ui/index.ts';
import type { AgentView, AppOutput, ProfileView } from '#shared/app-api/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { useEffect, type ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './agents.module.css';
import { inOrder, toolProfiles } from './tool-words.ts';
import { ToolItem } from './tool-item.tsx';

const skeletonAfterMs = 200;

/** The tools that a profile's service offers, what happens to a call of each, and which ones changed since a person looked. */
export function ToolsCard({ agents }: { agents: readonly AgentView[] }): ReactElement {
  const front = useStore(sessionStore, (state) => state.session?.profile);
  const { profileId, view, failure, refusal, show } = useStore(toolsStore);
  const profiles = toolProfiles(front, agents);
  const shown = profiles.find(({ id }) => id === profileId) ?? profiles[0];
  const shownId = shown?.id;
  useEffect(() => {
    if (shownId !== undefined) show(shownId);
  }, [shownId, show]);
  const slow = useLongerThan(skeletonAfterMs, view === null && failure === null);
  return (
    <Card level={2} title="Tools" aside={view && <ReadAt view={view} />}>
      {profiles.length > 1 && shown && <ProfileChoice profiles={profiles} shown={shown} />}
      {refusal && (
        <Banner tone="danger" title={refusal.failure.message}>
          {refusal.failure.next}
        </Banner>
      )}
      {failure && (
        <Banner tone="warning" title={failure.message}>
          {failure.next}
        </Banner>
      )}
      {view && <Tools view={view} />}
      {!view && slow && <Skeleton width="60%" />}
    </Card>
  );
}

function ReadAt({ view }: { view: AppOutput<'agents.tools'> }): ReactElement {
  const words = view.readAtMs === null ? 'not listed yet' : `listed ${ageText(view.readAtMs, Date.now())}`;
  return <span className={styles.small}>{words}</span>;
}

function ProfileChoice({ profiles, shown }: { profiles: ProfileView[]; shown: ProfileView }): ReactElement {
  return (
    <Select
      label="Profile"
      value={shown.id}
      options={profiles.map(({ id, kind, name }) => ({
        id,
        label: `${kind === 'live' ? 'LIVE' : 'Demo'} · ${inertText(name)}`,
      }))}
      onChange={toolsStore.getState().show}
    />
  );
}

function Tools({ view }: { view: AppOutput<'agents.tools'> }): ReactElement {
  if (view.tools.length === 0) {
    return (
      <p className={styles.soft}>
        No tool is known yet. They are listed, and pinned as they are, when the first agent connects.
      </p>
    );
  }
  return (
    <>
      <p className={styles.soft}>
        Agents see each tool as it was when you looked last. One that changes is held until you have looked.
        What Countersign does not know as reading waits for you, whatever the tool says of itself.
      </p>
      <ul className={styles.list} aria-label="Tools">
        {inOrder(view.tools).map((tool) => (
          <ToolItem key={tool.name} tool={tool} />
        ))}
      </ul>
    </>
  );
}
