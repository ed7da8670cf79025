import {
  Fragment,
  type ReactElement,
  type ReactNode,
  Component,
  useRef,
  type KeyboardEvent,
  type PointerEvent,
} from 'react';
import { cx } from '../cx.ts';
import { Icon } from '../display/icon.tsx';
import styles from './blocks.module.css';
import common from '../styles/common.module.css';

export function Section(props: { title: string; aside?: ReactNode; children: ReactNode }): ReactElement {
  return (
    <section className={styles.section} aria-label={props.title}>
      <div className={cx(common.spread, styles.sectionHead)}>
        <h3 className={styles.sectionTitle}>{props.title}</h3>
        {props.aside !== undefined && <span className={styles.sectionAside}>{props.aside}</span>}
      </div>
      {props.children}
    </section>
  );
}

export interface Definition {
  key: string;
  term: ReactNode;
  value: ReactNode;
}

export function DefinitionList({ items }: { items: readonly Definition[] }): ReactElement {
  return (
    <dl className={styles.list}>
      {items.map((item) => (
        <Fragment key={item.key}>
          <dt className={styles.term}>{item.term}</dt>
          <dd className={styles.value}>{item.value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

interface DisclosureProps {
  title: ReactNode;
  aside?: ReactNode;
  open?: boolean;
  onToggle?: (open: boolean) => void;
  children: ReactNode;
}

export function Disclosure({ title, aside, open, onToggle, children }: DisclosureProps): ReactElement {
  return (
    <details
      className={styles.disclosure}
      open={open}
      onToggle={(event) => onToggle?.(event.currentTarget.open)}
    >
      <summary>
        <Icon name="chevron-right" size={14} />
        <span className={styles.sectionTitle}>{title}</span>
        {aside !== undefined && <span className={styles.sectionAside}>{aside}</span>}
      </summary>
      <div className={styles.content}>{children}</div>
    </details>
  );
}

interface ListLinkProps {
  id: string;
  href: string;
  selected: boolean;
  className?: string | undefined;
  children: ReactNode;
}

export function ListLink({ id, href, selected, className, children }: ListLinkProps): ReactElement {
  return (
    <a
      id={id}
      href={href}
      className={cx(styles.link, selected && styles.selected, className)}
      aria-current={selected ? 'true' : undefined}
    >
      {children}
    </a>
  );
}

export function GuideLink({ href }: { href: string }): ReactElement {
  return (
    <a className={styles.guide} href={href} title="Read about this in the guide" aria-label="Guide">
      <Icon name="help" />
    </a>
  );
}

interface BackLinkProps {
  href: string;
  name: string;
  keyName?: string;
}

export function BackLink({ href, name, keyName }: BackLinkProps): ReactElement {
  return (
    <a
      className={styles.back}
      href={href}
      title={keyName === undefined ? name : `${name} (${keyName})`}
      aria-label={name}
    >
      <Icon name="chevron-left" />
    </a>
  );
}

export function PageFrame(props: {
  title: string;
  count: ReactNode;
  actions?: ReactNode;
  guide?: string;
  back?: BackLinkProps;
  children: ReactNode;
}): ReactElement {
  return (
    <div className={styles.column}>
      <header className={styles.pageHead}>
        {props.back !== undefined && <BackLink {...props.back} />}
        <h1 className={common.heading}>{props.title}</h1>
        {props.guide !== undefined && <GuideLink href={props.guide} />}
        <span className={common.soft}>{props.count}</span>
        {props.actions && <span className={cx(common.row1, styles.pageActions)}>{props.actions}</span>}
      </header>
      {props.children}
    </div>
  );
}

interface RegionProps {
  fallback: ReactNode;
  /** A change of the place removes the fallback, so that the next page is drawn. */
  place?: string;
  children: ReactNode;
}

interface RegionState {
  hasFailed: boolean;
  place: string | undefined;
}

/** Shows a fallback after an error in its content, so that the rest of the page continues to work. */
export class Region extends Component<RegionProps, RegionState> {
  override state: RegionState = { hasFailed: false, place: this.props.place };

  static getDerivedStateFromError(): Partial<RegionState> {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ place }: RegionProps, state: RegionState): RegionState | null {
    return place === state.place ? null : { hasFailed: false, place };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}

interface CardProps {
  title: string;
  /** 2 for a card directly below the title of the page, else 3. */
  level?: 2 | 3;
  aside?: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
}

export function Card({ title, level = 3, aside, children, actions }: CardProps): ReactElement {
  const Heading = `h${level}` as const;
  return (
    <section className={styles.card} aria-label={title}>
      <div className={styles.cardHead}>
        <Heading className={common.strong}>{title}</Heading>
        {aside}
      </div>
      <div className={cx(common.stack3, styles.body)}>{children}</div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </section>
  );
}

interface FoldedCardProps extends Omit<CardProps, 'actions'> {
  open: boolean;
  onToggle: (open: boolean) => void;
}

export function FoldedCard({
  title,
  level = 3,
  aside,
  children,
  open,
  onToggle,
}: FoldedCardProps): ReactElement {
  const Heading = `h${level}` as const;
  return (
    <section className={styles.card} aria-label={title}>
      <details open={open} onToggle={(event) => onToggle(event.currentTarget.open)}>
        <summary className={styles.cardHead}>
          <span className={styles.fold}>
            <Icon name="chevron-right" size={14} />
          </span>
          <Heading className={common.strong}>{title}</Heading>
          <span className={styles.cardAside}>{aside}</span>
        </summary>
        <div className={cx(common.stack3, styles.body)}>{children}</div>
      </details>
    </section>
  );
}

export function Cards({ children, wide = false }: { children: ReactNode; wide?: boolean }): ReactElement {
  return <div className={cx(common.stack4, styles.cards, wide && styles.wide)}>{children}</div>;
}

export function Spread({ children }: { children: ReactNode }): ReactElement {
  return <div className={styles.spread}>{children}</div>;
}

export function Buttons({ children }: { children: ReactNode }): ReactElement {
  return <span className={common.wrap2}>{children}</span>;
}

export interface SplitPaneProps {
  main: ReactNode;
  side: ReactNode | null;
  sideLabel: string;
  width: number;
  min: number;
  max: number;
  onResize: (width: number) => void;
}

const keyStep = 16;

/** True if an open panel covers the page. The stylesheet uses this width too. */
export const panelCoversMain = (): boolean => matchMedia('(max-width: 760px)').matches;

export function SplitPane(props: SplitPaneProps): ReactElement {
  const { main, side, sideLabel, width, min, max, onResize } = props;
  const drag = useRef<{ startX: number; startWidth: number } | null>(null);

  function down(event: PointerEvent<HTMLDivElement>): void {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { startX: event.clientX, startWidth: width };
  }

  function move(event: PointerEvent<HTMLDivElement>): void {
    if (drag.current) onResize(drag.current.startWidth + drag.current.startX - event.clientX);
  }

  function key(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.key === 'ArrowLeft') onResize(width + keyStep);
    if (event.key === 'ArrowRight') onResize(width - keyStep);
  }

  return (
    <div className={styles.split}>
      <div className={styles.main}>{main}</div>
      {side !== null && (
        <div className={styles.side} style={{ width }}>
          <div
            className={styles.handle}
            role="separator"
            aria-orientation="vertical"
            aria-label={`Width of ${sideLabel}`}
            aria-valuenow={width}
            aria-valuemin={min}
            aria-valuemax={max}
            tabIndex={0}
            onPointerDown={down}
            onPointerMove={move}
            onPointerUp={() => (drag.current = null)}
            onKeyDown={key}
          />
          {side}
        </div>
      )}
    </div>
  );
}
