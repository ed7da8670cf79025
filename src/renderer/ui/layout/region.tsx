import { Component, type ReactNode } from 'react';

export interface RegionProps {
  /** Shown in place of the region after a fault in it. */
  fallback: ReactNode;
  /** The content of the region, for example a route. The fallback ends when it changes. */
  place?: string;
  children: ReactNode;
}

interface RegionState {
  hasFailed: boolean;
  place: string | undefined;
}

/** A part of a window whose faults end in it: the other parts go on. */
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
