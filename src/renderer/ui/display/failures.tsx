import type { ReactElement } from 'react';
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
}

/** A failure above the content of a page; children follow its next step. */
export function FailureBanner({
  failure,
  tone = 'danger',
  children,
  ...banner
}: FailureBannerProps): ReactElement {
  return (
    <Banner tone={tone} title={failure.message} {...banner}>
      {failure.next}
      {children !== undefined && <> {children}</>}
    </Banner>
  );
}

/** A page or panel that a failure left empty; children follow its next step. */
export function FailureState(
  props: { failure: Failure } & Pick<EmptyStateProps, 'children' | 'action'>,
): ReactElement {
  const { failure, children, action } = props;
  return (
    <EmptyState icon="alert-circle" title={failure.message} action={action}>
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
