import type { ReactElement, ReactNode } from 'react';
import { cx } from '../cx.ts';
import { Icon, type IconName } from './icon.tsx';
import styles from './notices.module.css';
import { ForeignText } from './values.tsx';
import common from '../styles/common.module.css';
import { Button, IconButton } from '../controls/buttons.tsx';
import { useLongerThan } from './time.tsx';

export type BannerTone = 'info' | 'warning' | 'danger' | 'good';

const icons: Record<BannerTone, IconName> = {
  info: 'info',
  warning: 'warning',
  danger: 'alert-circle',
  good: 'check-circle',
};

export interface BannerProps {
  tone: BannerTone;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  flush?: boolean;
  icon?: IconName;
}

/** A banner. Screen readers interrupt for warnings and dangers. */
export function Banner({ tone, title, children, actions, flush, icon }: BannerProps): ReactElement {
  const urgent = tone === 'danger' || tone === 'warning';
  return (
    <div
      className={cx(styles.banner, styles[tone], flush && styles.flush)}
      role={urgent ? 'alert' : 'status'}
    >
      <span className={styles.bannerIcon}>
        <Icon name={icon ?? icons[tone]} />
      </span>
      <div className={styles.body}>
        <span className={styles.bannerTitle}>
          <ForeignText text={title} />
        </span>
        {children !== undefined && <span> {children}</span>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

export interface EmptyStateProps {
  icon: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps): ReactElement {
  return (
    <div className={cx(common.stack2, styles.empty)}>
      <span className={styles.emptyIcon}>
        <Icon name={icon} size={20} />
      </span>
      <h2 className={common.heading}>{title}</h2>
      {children !== undefined && <p className={styles.text}>{children}</p>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  );
}

/** A placeholder without animation, because a screen full of them must be cheap. */
export function Skeleton({ width }: { width: string | number }): ReactElement {
  return <span aria-hidden className={styles.skeleton} style={{ width }} />;
}

interface Failure {
  message: string;
  next: string;
}

interface FailureBannerProps extends Omit<BannerProps, 'tone' | 'title'> {
  failure: Failure;
  tone?: BannerProps['tone'];
  onDismiss?: (() => void) | undefined;
  onRetry?: () => void;
}

export function FailureBanner(props: FailureBannerProps): ReactElement {
  const { failure, tone = 'danger', onDismiss, onRetry, children, ...banner } = props;
  const actions = onDismiss ? (
    <IconButton icon="close" size="small" label="Dismiss" onClick={onDismiss} />
  ) : (
    onRetry && <TryAgain onPress={onRetry} />
  );
  return (
    <Banner tone={tone} title={failure.message} actions={actions} {...banner}>
      {failure.next}
      {children !== undefined && <> {children}</>}
    </Banner>
  );
}

function TryAgain({ onPress }: { onPress: () => void }): ReactElement {
  return (
    <Button size="small" icon="refresh" onClick={onPress}>
      Try again
    </Button>
  );
}

export function FailureState(
  props: { failure: Failure; onRetry?: () => void } & Pick<EmptyStateProps, 'children'>,
): ReactElement {
  const { failure, children, onRetry } = props;
  return (
    <EmptyState
      icon="alert-circle"
      title={failure.message}
      action={onRetry && <TryAgain onPress={onRetry} />}
    >
      {failure.next}
      {children !== undefined && <> {children}</>}
    </EmptyState>
  );
}

interface LoadingProps {
  label?: string;
  widths: readonly string[];
}

/** Milliseconds before the placeholders appear, so that a fast answer shows none. */
const shownAfterMs = 200;

export function Loading({ label, widths }: LoadingProps): ReactElement | null {
  const isSlow = useLongerThan(shownAfterMs, true);
  if (!isSlow) return null;
  return (
    <div className={cx(common.stack4, common.inset)} role={label && 'status'} aria-label={label} aria-busy>
      {widths.map((width, at) => (
        <Skeleton key={at} width={width} />
      ))}
    </div>
  );
}
