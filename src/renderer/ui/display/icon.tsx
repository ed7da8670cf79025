import {
  ArrowDown,
  ArrowRight,
  ArrowUp,
  BookLock,
  Bot,
  CalendarClock,
  Check,
  ChevronDown,
  ChevronRight,
  ChevronsUpDown,
  CircleAlert,
  CircleCheck,
  CircleHelp,
  Clock,
  Columns3,
  Copy,
  Download,
  Ellipsis,
  ExternalLink,
  Filter,
  IdCard,
  Info,
  Keyboard,
  Lock,
  Megaphone,
  Minus,
  Monitor,
  Moon,
  PanelRight,
  OctagonPause,
  Pause,
  Play,
  Plus,
  RefreshCw,
  RotateCcw,
  Rows3,
  Search,
  SearchX,
  ShieldCheck,
  Stamp,
  Stethoscope,
  Sun,
  TriangleAlert,
  Unplug,
  X,
} from 'lucide-react';
import type { ReactElement } from 'react';
import type { PillTone } from './pill.tsx';
import styles from './icon.module.css';

const icons = {
  agents: Bot,
  'alert-circle': CircleAlert,
  'arrow-down': ArrowDown,
  'arrow-right': ArrowRight,
  'arrow-up': ArrowUp,
  campaigns: Megaphone,
  check: Check,
  'check-circle': CircleCheck,
  'chevron-down': ChevronDown,
  'chevron-right': ChevronRight,
  clock: Clock,
  close: X,
  columns: Columns3,
  copy: Copy,
  doctor: Stethoscope,
  download: Download,
  external: ExternalLink,
  filter: Filter,
  help: CircleHelp,
  info: Info,
  keyboard: Keyboard,
  ledger: BookLock,
  lock: Lock,
  minus: Minus,
  monitor: Monitor,
  moon: Moon,
  more: Ellipsis,
  offline: Unplug,
  panel: PanelRight,
  'emergency-stop': OctagonPause,
  pause: Pause,
  play: Play,
  plus: Plus,
  profiles: IdCard,
  proposals: Stamp,
  refresh: RefreshCw,
  reset: RotateCcw,
  rows: Rows3,
  schedules: CalendarClock,
  search: Search,
  'search-none': SearchX,
  'shield-check': ShieldCheck,
  sort: ChevronsUpDown,
  sun: Sun,
  warning: TriangleAlert,
} as const;

/** The icons of the product, by meaning. */
export type IconName = keyof typeof icons;

export interface IconProps {
  name: IconName;
  size?: 12 | 14 | 16 | 20 | 28;
  /** Without one it has the colour of the text around it. */
  tone?: PillTone;
}

/** One icon of one stroke width. Decorative: the word stands beside it or on its control. */
export function Icon({ name, size = 16, tone }: IconProps): ReactElement {
  const Glyph = icons[name];
  return (
    <Glyph
      aria-hidden
      className={tone && styles[tone]}
      size={size}
      strokeWidth={1.75}
      absoluteStrokeWidth={size > 16}
    />
  );
}
