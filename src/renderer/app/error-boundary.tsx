import { Button, EmptyState } from '#renderer/ui/index.ts';
import { Component, type ReactNode } from 'react';

/** Catches a bug of the page itself: says what is safe and offers the way back, instead of a white page. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <EmptyState
        icon="alert-circle"
        title="This page stopped working"
        action={
          <Button kind="primary" icon="refresh" onClick={() => location.reload()}>
            Load it again
          </Button>
        }
      >
        A bug in the page, not in your data: nothing is sent without your confirmation, and everything that
        was confirmed is in the ledger.
      </EmptyState>
    );
  }
}
