import { Fragment, type ReactElement, type ReactNode, Component } from 'react';
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
  /** The fallback ends when it changes. */
  place?: string;
  children: ReactNode;
}

interface RegionState {
  hasFailed: boolean;
  place: string | undefined;
}

/** A fault ends in its region: the other parts go on. */
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
