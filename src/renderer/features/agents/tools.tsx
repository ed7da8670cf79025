import { type ReactElement, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { toolsStore } from './stores/page-stores.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import {
  useFormats,
  ageText,
  Banner,
  Button,
  Buttons,
  Disclosure,
  Fingerprint,
  FoldedCard,
  ForeignText,
  LongText,
  Mono,
  Pill,
  QuotedText,
  Select,
  cx,
  common,
  FailureBanner,
  Loading,
} from '#renderer/ui/index.ts';
import type { AgentView, AppOutput, ProfileView, ToolView } from '#shared/app-api/index.ts';
import { inertText, quoted } from '#shared/lib/inert-text.ts';
import { inOrder, toolProfiles, treatWords } from './agent-words.ts';
import styles from './agents.module.css';

export function ToolsCard({ agents }: { agents: readonly AgentView[] }): ReactElement {
  const formats = useFormats();
  const { profileId, view, failure, refusal, show } = useStore(toolsStore);
  const { profiles, shown } = useShownProfile(agents, { profileId, show });
  const [opened, setOpened] = useState<boolean | null>(null);
  const open = opened ?? ((view !== null && heldTools(view) > 0) || refusal !== null);
  return (
    <FoldedCard
      level={2}
      title="Tools"
      aside={view && <ToolsState view={view} />}
      open={open}
      onToggle={setOpened}
    >
      <ProfileChoice profiles={profiles} shown={shown} onShow={show} />
      {refusal && <FailureBanner failure={refusal.failure} />}
      {failure && <FailureBanner tone="warning" failure={failure} />}
      {view && (
        <span className={styles.small}>
          {view.readAtMs === null
            ? 'not listed yet'
            : `listed ${ageText(view.readAtMs, Date.now(), formats)}`}
        </span>
      )}
      {view && <Tools view={view} />}
      {!view && !failure && <Loading label="Reading the tools" widths={['60%']} />}
    </FoldedCard>
  );
}

function ToolsState({ view }: { view: AppOutput<'agents.tools'> }): ReactElement {
  const formats = useFormats();
  const held = heldTools(view);
  if (held > 0) {
    return (
      <Pill tone="bad" label={formats.counted(held, 'tool needs your review', 'tools need your review')} />
    );
  }
  return <span className={styles.small}>{formats.counted(view.tools.length, 'tool')}</span>;
}

const heldTools = ({ tools }: AppOutput<'agents.tools'>): number =>
  tools.filter(({ state }) => state !== 'pinned').length;

export function useShownProfile(
  agents: readonly AgentView[],
  { profileId, show }: { profileId: string | null; show: (profileId: string) => void },
): { profiles: ProfileView[]; shown: ProfileView | undefined; isActive: boolean } {
  const active = useStore(sessionStore, (state) => state.session?.profile);
  const profiles = toolProfiles(active, agents);
  const shown = profiles.find(({ id }) => id === profileId) ?? profiles[0];
  const shownId = shown?.id;
  useEffect(() => {
    if (shownId !== undefined) show(shownId);
  }, [shownId, show]);
  return { profiles, shown, isActive: shownId === active?.id };
}

export function ProfileChoice(props: {
  profiles: readonly ProfileView[];
  shown: ProfileView | undefined;
  onShow: (id: string) => void;
}): ReactElement | null {
  if (props.profiles.length < 2 || props.shown === undefined) return null;
  return (
    <Select
      label="Profile"
      value={props.shown.id}
      options={props.profiles.map(({ id, kind, name }) => ({
        id,
        label: `${kind === 'live' ? 'LIVE' : 'Demo'} · ${inertText(name)}`,
      }))}
      onChange={props.onShow}
    />
  );
}

function Tools({ view }: { view: AppOutput<'agents.tools'> }): ReactElement {
  if (view.tools.length === 0) {
    return <p className={styles.soft}>No tools yet: they are listed when the first agent connects.</p>;
  }
  return (
    <>
      <p className={styles.soft}>
        A changed tool is held until you review it. Calls of tools that are not known as read-only wait for
        your approval.
      </p>
      <ul className={common.stack} aria-label="Tools">
        {inOrder(view.tools).map((tool) => (
          <ToolItem key={tool.name} tool={tool} />
        ))}
      </ul>
    </>
  );
}

function ToolItem({ tool }: { tool: ToolView }): ReactElement {
  const formats = useFormats();
  const { name, title, description, hash, pinnedAtMs, changes } = tool;
  return (
    <li className={cx(common.stack1, styles.tool)}>
      <Disclosure
        title={
          <Mono>
            <ForeignText text={name} />
          </Mono>
        }
        aside={<Pill {...treatWords(tool)} />}
      >
        <div className={cx(common.stack2, styles.inside)}>
          {title !== null && (
            <p>
              <QuotedText text={title} />
            </p>
          )}
          <p className={styles.soft}>
            <QuotedText text={description} />
          </p>
          {hash !== null && (
            <p className={styles.small}>
              {pinnedAtMs !== null && (
                <span title={formats.moment(pinnedAtMs)}>
                  pinned since {formats.shortMoment(pinnedAtMs, Date.now())} ·{' '}
                </span>
              )}
              <Fingerprint hex={hash} groups={3} />
            </p>
          )}
          {changes > 1 && (
            <p className={styles.small}>
              The service has changed it {formats.count(changes)} times since your last review.
            </p>
          )}
          {tool.amendment !== null && (
            <>
              <p className={styles.small}>Agents read this instead, because Countersign asks you itself:</p>
              <DefinitionParts parts={tool.amendment} />
            </>
          )}
          <Switch tool={tool} />
        </div>
      </Disclosure>
      {tool.offered !== null && <Offered tool={tool} offered={tool.offered} />}
    </li>
  );
}

function Switch({ tool }: { tool: ToolView }): ReactElement | null {
  const doing = useStore(toolsStore, (state) => state.doing);
  const { name, state, treatAs, mayRead } = tool;
  if (state !== 'pinned' || (treatAs === 'write' && !mayRead)) return null;
  const to = treatAs === 'write' ? 'read' : 'write';
  const words = to === 'read' ? 'Treat as read-only' : 'Require my approval';
  return (
    <Buttons>
      <Button
        size="small"
        disabled={doing !== null}
        aria-label={`${words}: ${quoted(name)}`}
        onClick={() => void toolsStore.getState().treat(name, to)}
      >
        {words}
      </Button>
    </Buttons>
  );
}

function Offered(props: { tool: ToolView; offered: NonNullable<ToolView['offered']> }): ReactElement {
  const formats = useFormats();
  const { tool, offered } = props;
  const doing = useStore(toolsStore, (state) => state.doing);
  const isNew = tool.hash === null;
  const action = doing?.name === tool.name ? 'Accepting…' : 'Accept new version';
  return (
    <Banner
      tone="warning"
      title={isNew ? 'The service offers a new tool.' : 'The service changed this tool.'}
      actions={
        <Button
          disabled={doing !== null}
          aria-label={`${action} (${quoted(tool.name)})`}
          onClick={() => void toolsStore.getState().accept(tool)}
        >
          {action}
        </Button>
      }
    >
      <span title={formats.moment(offered.atMs)}>
        Since {formats.shortMoment(offered.atMs, Date.now())}.{' '}
      </span>
      {isNew ? 'Agents do not see it until you review it.' : 'Calls are held until you review it.'}
      <DefinitionParts parts={offered.parts} />
    </Banner>
  );
}

function DefinitionParts({ parts }: { parts: NonNullable<ToolView['amendment']> }): ReactElement[] {
  return parts.map((one) => (
    <div key={one.part} className={cx(common.stack1, styles.part)}>
      <span className={styles.small}>{one.part}</span>
      {one.before !== '' && (
        <span className={cx(common.bad, styles.before)}>
          <span aria-hidden>−</span> <LongText text={one.before} />
        </span>
      )}
      <span className={styles.after}>
        <span aria-hidden>+</span> <LongText text={one.after} />
      </span>
    </div>
  ));
}
