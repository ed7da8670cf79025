import type { ReactElement } from 'react';
import { Button, IconButton } from '../controls/buttons.tsx';
import { cx } from '../cx.ts';
import common from '../styles/common.module.css';
import { Banner, type BannerProps, EmptyState, type EmptyStateProps, Skeleton } from './notices.tsx';

/** An expected failure: what happened, and what to do. */
interface Failure {
  message: string;
  next: string;
}

interface FailureBannerProps extends Omit<BannerProps, 'tone' | 'title'> {
  failure: Failure;
  /** `danger` unless something else still works. */
  tone?: BannerProps['tone'];
  /** Offers to close it. */
  onDismiss?: (() => void) | undefined;
  /** Offers to try again. */
  onRetry?: () => void;
}

/** A failure above the content of a page; children follow its next step. */
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

/** A page or panel that a failure left empty; children follow its next step. */
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
  /** What is read, for assistive technology. */
  label?: string;
  widths: readonly string[];
}

/** Grey bars in place of what is being read. */
export function Loading({ label, widths }: LoadingProps): ReactElement {
  return (
    <div className={cx(common.stack4, common.inset)} role={label && 'status'} aria-label={label} aria-busy>
      {widths.map((width, at) => (
        <Skeleton key={at} width={width} />
      ))}
    </div>
  );
}
