import { type ReactElement, useEffect } from 'react';
import { useStore } from 'zustand';
import { profilesStore } from '#renderer/stores/profiles/profiles-store.ts';
import { sessionStore } from '#renderer/stores/session-store.ts';
import { trainingWindowStore } from '#renderer/stores/training-stores.ts';
import { newProfile, type Route } from '#renderer/stores/ui/route.ts';
import { uiStore } from '#renderer/stores/ui.ts';
import { Button, cx, Dialog, Icon, type IconName, common, pages } from '#renderer/ui/index.ts';
import styles from './first-start.module.css';

/**
 * The first screen of a new data folder. It opens once by itself. The Guide page and, on the desktop, the Help menu
 * open it again.
 */
export function FirstStart(): ReactElement {
  const isDesktop = useStore(sessionStore, ({ session }) => session?.host === 'desktop');
  const close = (): void => uiStore.getState().show(null);
  useEffect(() => sessionStore.getState().seeFirstStart(), []);
  return (
    <Dialog bare title="Welcome to Countersign" onClose={close}>
      <div className={cx(common.stack4, styles.screen)}>
        <h2 className={pages.title}>Welcome to Countersign</h2>
        <p className={common.soft}>
          Nothing that a colleague, a script or an AI agent proposes is sent before you approve it.
        </p>
        <ul className={common.stack2}>
          <ExploreDemo />
          <ConnectService />
          <Choice
            icon="agents"
            title="Connect an agent"
            onChoose={goTo({ page: 'agents' })}
            text="Claude Code, Codex, Cursor and others, over MCP."
          />
          <Choice
            icon="training"
            title="First mission"
            onChoose={leaveFor(() => void trainingWindowStore.getState().open())}
            text="An agent proposes good and bad changes. See what you catch."
          />
        </ul>
        <div className={cx(pages.row4, pages.between)}>
          <p className={common.quiet}>
            {isDesktop ? 'Find this again under Help or Guide.' : 'Find this again under Guide.'}
          </p>
          <Button onClick={close}>Skip</Button>
        </div>
      </div>
    </Dialog>
  );
}

function ExploreDemo(): ReactElement {
  const isLive = useStore(sessionStore, ({ session }) => session?.profile.kind === 'live');
  const demo = useStore(profilesStore, ({ list }) => list?.items.find(({ kind }) => kind === 'demo'));
  const go = goTo({ page: 'campaigns', cid: null });
  return (
    <Choice
      icon="campaigns"
      title="Explore the demo"
      isFirst
      onChoose={isLive && demo ? leaveFor(() => void profilesStore.getState().switchTo(demo.id)) : go}
      text={`Change a bid, review it, approve it: nothing costs anything.${isLive ? ' Switches to the Demo profile.' : ''}`}
    />
  );
}

function ConnectService(): ReactElement {
  const isDesktop = useStore(sessionStore, ({ session }) => session?.host === 'desktop');
  const liveAllowed = useStore(profilesStore, ({ list }) => list?.liveAllowed ?? isDesktop);
  return (
    <Choice
      icon="profiles"
      title="Connect a service"
      onChoose={liveAllowed ? goTo({ page: 'profiles', id: newProfile }) : null}
      text={
        liveAllowed
          ? 'Add a profile with the three addresses of your service, and sign in.'
          : 'Needs the desktop app.'
      }
    />
  );
}

interface ChoiceProps {
  icon: IconName;
  title: string;
  text: string;
  onChoose: (() => void) | null;
  isFirst?: boolean;
}

function Choice({ icon, title, text, onChoose, isFirst = false }: ChoiceProps): ReactElement {
  const words = (
    <>
      <Icon name={icon} size={20} />
      <span className={cx(common.growNarrow, common.stack)}>
        <span className={common.strong}>{title}</span>
        <span className={common.quiet}>{text}</span>
      </span>
    </>
  );
  return (
    <li>
      {onChoose === null ? (
        <div className={cx(pages.row4, pages.framed, styles.choice, styles.refused)}>{words}</div>
      ) : (
        <button
          type="button"
          className={cx(pages.row4, pages.framed, styles.choice, styles.pressable)}
          data-autofocus={isFirst || undefined}
          onClick={onChoose}
        >
          {words}
          <Icon name="chevron-right" />
        </button>
      )}
    </li>
  );
}

function leaveFor(go: () => void): () => void {
  return () => {
    uiStore.getState().show(null);
    go();
  };
}

function goTo(route: Route): () => void {
  return leaveFor(() => uiStore.getState().navigate(route));
}
