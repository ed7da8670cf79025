import { toolsStore } from '#renderer/stores/agents/index.ts';
import {
  Banner,
  Button,
  Buttons,
  Disclosure,
  Fingerprint,
  ForeignText,
  LongText,
  momentText,
  Mono,
  Pill,
  QuotedText,
  shortMomentText,
} from '#renderer/ui/index.ts';
import type { ToolView } from '#shared/app-api/index.ts';
import { quoted } from '#shared/lib/inert-text.ts';
import type { ReactElement } from 'react';
import { useStore } from 'zustand';
import styles from './agents.module.css';
import { treatWords } from './tool-words.ts';

/** One tool. Its words are the service's own. */
export function ToolItem({ tool }: { tool: ToolView }): ReactElement {
  const { name, title, description, hash, pinnedAtMs, changes } = tool;
  return (
    <li className={styles.tool}>
      <Disclosure
        title={
          <Mono>
            <ForeignText text={name} />
          </Mono>
        }
        aside={<Pill {...treatWords(tool)} />}
      >
        <div className={styles.inside}>
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
                <span title={momentText(pinnedAtMs)}>
                  pinned since {shortMomentText(pinnedAtMs, Date.now())} ·{' '}
                </span>
              )}
              <Fingerprint hex={hash} groups={3} />
            </p>
          )}
          {changes > 1 && (
            <p className={styles.small}>
              The service has changed it {changes.toLocaleString('en-US')} times since anybody looked.
            </p>
          )}
          <Switch tool={tool} />
        </div>
      </Disclosure>
      {tool.offered !== null && <Offered tool={tool} offered={tool.offered} />}
    </li>
  );
}

/** A person may always tighten; a read may pass only where nothing speaks against it. */
function Switch({ tool }: { tool: ToolView }): ReactElement | null {
  const doing = useStore(toolsStore, (state) => state.doing);
  const { name, state, treatAs, mayRead } = tool;
  if (state !== 'pinned' || (treatAs === 'write' && !mayRead)) return null;
  const to = treatAs === 'write' ? 'read' : 'write';
  const words = to === 'read' ? 'Let it pass as a read' : 'Make it wait for me';
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
  const { tool, offered } = props;
  const doing = useStore(toolsStore, (state) => state.doing);
  const isNew = tool.hash === null;
  return (
    <Banner
      tone="warning"
      title={isNew ? 'The service offers a new tool.' : 'The service changed this tool.'}
      actions={
        <Button
          disabled={doing !== null}
          aria-label={`Accept new version (${quoted(tool.name)})`}
          onClick={() => void toolsStore.getState().accept(tool)}
        >
          {doing?.name === tool.name ? 'Accepting…' : 'Accept new version'}
        </Button>
      }
    >
      <span title={momentText(offered.atMs)}>Since {shortMomentText(offered.atMs, Date.now())}. </span>
      {isNew ? 'Agents do not see it before you have looked.' : 'Calls are held until you have looked.'}
      {offered.parts.map((one) => (
        <div key={one.part} className={styles.part}>
          <span className={styles.small}>{one.part}</span>
          {one.before !== '' && (
            <span className={styles.before}>
              <span aria-hidden>−</span> <LongText text={one.before} />
            </span>
          )}
          <span className={styles.after}>
            <span aria-hidden>+</span> <LongText text={one.after} />
          </span>
        </div>
      ))}
    </Banner>
  );
}
