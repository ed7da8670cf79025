import type { ReactElement } from 'react';
import { Button, IconButton } from '../controls/buttons.tsx';
import { cx } from '../cx.ts';
import common from '../styles/common.module.css';
import { useLongerThan } from './time.tsx';
import { Banner, type BannerProps, EmptyState, type EmptyStateProps, Skeleton } from './notices.tsx';

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

/** Time for a quick answer before the bars appear, in milliseconds. */
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
